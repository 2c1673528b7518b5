#pragma once

#include <optional>
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

/// The same of a wait goal that there may be; empty without one. `classes`: those of the world.
[[nodiscard]] std::string goal_text(const std::optional<WaitGoal>& goal, std::span<const JobClass> classes);

/// The wait goal's words, if it has any, then those of the goals beside it.
[[nodiscard]] std::vector<std::string> goal_texts(const std::string& wait_goal_text,
                                                  std::span<const AskedGoal> goals);

/// Goals with their words; `classes`: those of the world.
[[nodiscard]] std::vector<AskedGoal> asked_goals(std::span<const Goal> goals,
                                                 std::span<const JobClass> classes);

}  // namespace stockout
