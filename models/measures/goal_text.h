#pragma once

#include <string>

#include "models/measures/wait_goal.h"

namespace stockout {

/// The wait goal in words: "95 % of training jobs start within 4h and complete". `job_class`: whose goal it
/// is; empty: of all jobs.
[[nodiscard]] std::string goal_text(const WaitGoal& goal, const std::string& job_class);

}  // namespace stockout
