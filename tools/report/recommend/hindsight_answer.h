#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/recommend/hindsight.h"
#include "tools/report/recommend/answer.h"
#include "tools/table/relation.h"

namespace stockout {

/// Subject of a report on an advice that was paid on later jobs.
struct HindsightReport {
  /// One side of the split.
  struct Part {
    RecommendationReport found;  // what is advised there, or the best in hindsight
    std::size_t jobs = 0;        // of the history
  };

  const Hindsight& result;
  const Scenario& whole;
  Part before;
  std::optional<Part> after;  // none: nothing was advised
  std::string baseline;       // the strategy that is bought today
  std::string observed;       // the file of the history
  std::string split;          // "2026-05-01 00:00 UTC"
  std::vector<std::string> warnings;
};

/// Of a part, in days.
[[nodiscard]] double days_of(const Scenario& scenario);

/// The advice, its cost on the later jobs, the best there, and the share of the possible savings that the
/// advice captures.
[[nodiscard]] std::string hindsight_sentence(const HindsightReport& report);

/// The goals that the advice misses after the split, and by how much, a line each.
[[nodiscard]] std::vector<std::string> missed_lines(const HindsightReport& report);

/// The advice, the best in hindsight and the baseline after the split, a row each.
[[nodiscard]] Relation paid_table(const HindsightReport& report);

/// Findings on either side of the split, a row each.
[[nodiscard]] Relation parts_table(const HindsightReport& report);

}  // namespace stockout
