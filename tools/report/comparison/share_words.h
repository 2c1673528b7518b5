#pragma once

#include <string_view>
#include <vector>

#include "tools/table/relation.h"

namespace stockout {

/// A share or another number of a report in words, as models/measures/README.md defines it.
struct ShareWords {
  std::string_view name;
  std::string_view counted;
  std::string_view of;
};

/// Of reports that show few numbers: of sweeps and of recorded comparisons.
inline constexpr ShareWords kStartInTime{"start in time and complete",
                                         "jobs granted within the wait goal, and completed",
                                         "jobs that the goal is about; one that never starts is late"};
inline constexpr ShareWords kStartWithin{
    "95 % of jobs start within", "the shortest wait, release to first grant, that 95 % of jobs do not exceed",
    "all jobs submitted in the window; >: longer than that, since jobs of the 95 % never started"};

/// A row for each.
[[nodiscard]] Relation shares_table(const std::vector<ShareWords>& shares);

}  // namespace stockout
