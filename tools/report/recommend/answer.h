#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/recommend/purchases.h"
#include "models/recommend/recommendation.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// Where the worlds come from that a recommendation is judged over.
struct WorldsSource {
  std::string file;
  std::string agreement;   // with the history: "agree with waits.csv"
  std::size_t in_all = 0;  // in the file; those that were run stand for them
};

/// Subject of a report on a recommendation.
struct RecommendationReport {
  const Scenario& written;  // as the file has it, or in the world in the middle; without any choice
  const Purchases& purchases;
  const Recommendation& found;
  std::string version;                      // of the program
  std::optional<WorldsSource> worlds = {};  // of those of the recommendation

  [[nodiscard]] const PurchaseStanding& best() const { return found.standings[found.best]; }
  [[nodiscard]] const Purchase& purchase(const PurchaseStanding& of) const {
    return purchases.all()[of.purchase];
  }
  [[nodiscard]] std::string name(const PurchaseStanding& of) const { return purchases.name(purchase(of)); }
};

/// The answer in one or several sentences: the quantity, the model, places, the cost, what it obliges to, the
/// goals, and how sure it is.
[[nodiscard]] std::string recommendation_sentence(const RecommendationReport& report);

/// Why it is that and nothing near it, a line each.
[[nodiscard]] std::vector<std::string> because_lines(const RecommendationReport& report);

/// Prices that would change it, a line each. None unless it is recommended.
[[nodiscard]] std::vector<std::string> flip_lines(const RecommendationReport& report);

/// Value of a goal: "97.1 % ± 0.3", of a budget the dollars.
[[nodiscard]] std::string value_text(const Recommendation::Asked& asked,
                                     const std::optional<Estimate>& value);

/// "97.1 % ± 0.3"; without noise that is seen, the share alone.
[[nodiscard]] std::string noisy_share(const Estimate& share);

}  // namespace stockout
