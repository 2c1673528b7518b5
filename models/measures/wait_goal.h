#pragma once

#include <optional>

#include "sim/core/ids.h"
#include "sim/core/time.h"

namespace stockout {

/// How much of the work that the most complete strategy gets done another must get done, so that what the two
/// cost may be compared. A choice of ours, not a rule of any cloud: a hundredth less work is a hundredth less
/// to pay, which is about what prices are known to.
inline constexpr double kSameWork = 0.99;

/// A goal for waits: a share `quantile` of jobs (of one class, or of all) starts within `at_most` and is
/// completed.
struct WaitGoal {
  double quantile = 0.95;  // in (0, 1)
  SimDuration at_most{};
  std::optional<ClassId> job_class;
  double same_work = kSameWork;  // in [0, 1]: of the work of all jobs
};

}  // namespace stockout
