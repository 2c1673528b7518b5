#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/experiment/comparison.h"
#include "models/measures/wait_goal.h"

namespace stockout {

/// Which strategy a comparison recommends, and what chance might make of that.
struct Recommended {
  std::optional<std::size_t> strategy;  // the cheapest that qualifies on average; none: none does
  bool is_sure = false;                 // the verdict is not that it is undecided
  std::vector<std::size_t> may_be;      // others that may be the one, or cost the same, in their order
  bool may_be_none = false;             // it may not qualify itself
};

/// By the rules of judge(). The comparison has at least one strategy.
[[nodiscard]] Recommended recommended(const Comparison& comparison, const std::optional<WaitGoal>& goal);

}  // namespace stockout
