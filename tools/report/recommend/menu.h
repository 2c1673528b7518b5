#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/report/recommend/answer.h"
#include "tools/table/relation.h"

namespace stockout {

/// Rows of the menu for people.
inline constexpr std::size_t kMenuRows = 10;

/// Purchases, a row each: cost, what each goal came to, waits, use, obligation. `most` rows are for people:
/// the best, some that are as good, some dearer ones, some that miss a goal.
[[nodiscard]] Relation menu_table(const RecommendationReport& report, std::size_t most);

/// A choice of a decision, and the way to buy that has it.
struct CurvePoint {
  std::string choice;
  const PurchaseStanding* standing = nullptr;
};

/// The choices of a decision around the best, all else being as it is.
struct DecisionCurve {
  const DecisionVariable* decision = nullptr;
  std::vector<CurvePoint> points;  // in the order of the choices, at least two
  Relation table;                  // a row for each of them
};

/// One for each decision that touches the best. They last as long as the report.
[[nodiscard]] std::vector<DecisionCurve> decision_curves(const RecommendationReport& report);

/// Condition along such a curve: "all else as recommended".
[[nodiscard]] std::string all_else_text(const RecommendationReport& report);

/// The goals that were asked for, a row each, by number.
[[nodiscard]] Relation goals_table(const RecommendationReport& report);

}  // namespace stockout
