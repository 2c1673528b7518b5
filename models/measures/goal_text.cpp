#include "models/measures/goal_text.h"

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

std::string jobs_text(const std::string& job_class) {
  return job_class.empty() ? "jobs" : job_class + " jobs";
}

}  // namespace

std::string goal_text(const WaitGoal& goal, const std::string& job_class) {
  return fmt::format("{:.6g} % of {} start within {} and complete", goal.quantile * 100, jobs_text(job_class),
                     format_duration(goal.at_most));
}

std::string goal_text(const Goal& goal, const std::string& job_class) {
  const double percent = goal.least * 100;
  switch (goal.kind) {
    case Goal::Kind::starts:
      return goal_text(WaitGoal{.quantile = goal.least, .at_most = goal.at_most, .job_class = {}}, job_class);
    case Goal::Kind::meets_deadlines:
      return fmt::format("{:.6g} % of {} meet their deadline", percent, jobs_text(job_class));
    case Goal::Kind::completes:
      return fmt::format("{:.6g} % of {} complete", percent, jobs_text(job_class));
    case Goal::Kind::budget:
      break;
  }
  return fmt::format("the cost is at most {} on average", dollar_text(goal.budget_usd));
}

std::string goal_text(const std::optional<WaitGoal>& goal, std::span<const JobClass> classes) {
  if (!goal) return {};
  return goal_text(*goal, goal->job_class ? classes[index(*goal->job_class)].name : "");
}

std::vector<std::string> goal_texts(const std::string& wait_goal_text, std::span<const AskedGoal> goals) {
  std::vector<std::string> texts;
  if (!wait_goal_text.empty()) texts.push_back(wait_goal_text);
  for (const AskedGoal& asked : goals) texts.push_back(asked.text);
  return texts;
}

std::vector<AskedGoal> asked_goals(std::span<const Goal> goals, std::span<const JobClass> classes) {
  std::vector<AskedGoal> asked;
  for (const Goal& goal : goals)
    asked.push_back(
        {.goal = goal, .text = goal_text(goal, goal.job_class ? classes[index(*goal.job_class)].name : "")});
  return asked;
}

}  // namespace stockout
