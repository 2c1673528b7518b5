#include "models/measures/goal_text.h"

#include <fmt/format.h>

#include "sim/core/duration_text.h"

namespace stockout {

std::string goal_text(const WaitGoal& goal, const std::string& job_class) {
  return fmt::format("{:.6g} % of {} start within {} and complete", goal.quantile * 100,
                     job_class.empty() ? "jobs" : job_class + " jobs", format_duration(goal.at_most));
}

}  // namespace stockout
