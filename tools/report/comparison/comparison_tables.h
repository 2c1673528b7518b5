#pragma once

#include <string_view>
#include <vector>

#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// A table of a comparison, and where JSON has it. Without a key it is of measures, all of which JSON has
/// under each strategy.
struct ComparisonTable {
  std::string_view key = {};
  Relation table = {};
};

/// Every table of a comparison, in order, with the groups asked for: text, Markdown, page and JSON write
/// these.
[[nodiscard]] std::vector<ComparisonTable> comparison_tables(const Report& report);

/// The short answer for each strategy and the groups asked for: cost, goal, waits, work done and what
/// commitments bind to. Deadlines are there where no goal is.
[[nodiscard]] Relation answer_table(const Report& report);

/// The measures that are looked at first, a row a strategy.
[[nodiscard]] Relation summary_table(const Report& report);

}  // namespace stockout
