#pragma once

#include <string>

#include "models/measures/goal.h"
#include "models/measures/wait_goal.h"

namespace stockout {

/// The wait goal in words: "95 % of training jobs start within 4h and complete". `job_class`: whose goal it
/// is; empty: of all jobs.
[[nodiscard]] std::string goal_text(const WaitGoal& goal, const std::string& job_class);

/// The same of any goal: "99 % of training jobs meet their deadline", "the cost is at most $50,000".
[[nodiscard]] std::string goal_text(const Goal& goal, const std::string& job_class);

}  // namespace stockout
