#pragma once

#include <optional>

#include "sim/core/ids.h"
#include "sim/core/time.h"

namespace stockout {

/// What the planner asks of the wait: a share `quantile` of jobs (of one class, or of all) starts within
/// `at_most`.
struct WaitGoal {
  double quantile = 0.95;  // in (0, 1)
  SimDuration at_most{};
  std::optional<ClassId> job_class;
};

}  // namespace stockout
