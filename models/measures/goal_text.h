#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/measures/goal.h"
#include "models/measures/wait_goal.h"
#include "models/workload/jobs.h"

namespace stockout {

/// The wait goal in words: "95 % of training jobs start within 4h and complete". `job_class`: whose goal it
/// is; empty: of all jobs.
[[nodiscard]] std::string goal_text(const WaitGoal& goal, const std::string& job_class);

/// The same of any goal: "99 % of training jobs meet their deadline", "the cost is at most $50,000".
[[nodiscard]] std::string goal_text(const Goal& goal, const std::string& job_class);

/// The words of a wait goal where those beside it (`others`: there are some) are left out: in records and
/// sweeps.
[[nodiscard]] std::string goal_alone_text(std::string text, bool others);

/// Goals with their words; `classes`: those of the world.
[[nodiscard]] std::vector<AskedGoal> asked_goals(std::span<const Goal> goals,
                                                 std::span<const JobClass> classes);

}  // namespace stockout
