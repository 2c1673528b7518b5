#include "models/experiment/goal_words.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/experiment/noise_text.h"
#include "sim/core/check.h"

namespace stockout {

GoalWords::GoalWords(const Comparison& comparison, const std::optional<WaitGoal>& wait_goal,
                     const std::string& wait_goal_text, const Standings& standings)
    : comparison_{comparison}, wait_goal_{wait_goal}, standings_{standings} {
  if (wait_goal) texts_.push_back(wait_goal_text);
  for (const AskedGoal& asked : comparison.goals) texts_.push_back(asked.text);
}

std::string GoalWords::named() const {
  return fmt::format("{} ({})", several() ? "the goals" : "the goal", fmt::join(texts_, "; "));
}

// By place among the texts.
std::vector<GoalStanding> GoalWords::standings_of(std::size_t strategy) const {
  const Standing& standing = standings_[strategy];
  std::vector<GoalStanding> all = standing.goals;
  if (wait_goal_) all.insert(all.begin(), {.value = standing.goal_met, .reaches = standing.wait_goal});
  return all;
}

// nullptr: it is the wait goal.
const Goal* GoalWords::further_goal(std::size_t place) const {
  if (!wait_goal_) return &comparison_.goals[place].goal;
  return place == 0 ? nullptr : &comparison_.goals[place - 1].goal;
}

std::string GoalWords::value_text(std::size_t place, const std::optional<Estimate>& value) const {
  const Goal* goal = further_goal(place);
  const bool is_budget = goal != nullptr && goal->kind == Goal::Kind::budget;
  return is_budget && value ? dollars_with_noise(value->mean, value->half_width) : share_with_noise(value);
}

std::vector<std::string> GoalWords::missed(std::size_t strategy) const {
  const std::vector<GoalStanding> goals = standings_of(strategy);
  std::vector<std::string> missed;
  for (std::size_t i = 0; i < goals.size(); ++i) {
    if (!goals[i].reaches.on_average)
      missed.push_back(fmt::format("\"{}\" ({})", texts_[i], value_text(i, goals[i].value)));
  }
  return missed;
}

std::string GoalWords::met(std::size_t strategy) const {
  const std::vector<GoalStanding> goals = standings_of(strategy);
  if (only_wait_goal()) return share_with_noise(goals.front().value) + " do";
  const std::vector<std::string> missed_ones = missed(strategy);
  if (!missed_ones.empty()) return fmt::format("misses {}", fmt::join(missed_ones, " and "));
  return several() ? "all goals met" : fmt::format("goal met: {}", value_text(0, goals.front().value));
}

std::string GoalWords::unsure(std::size_t strategy) const {
  const std::vector<GoalStanding> goals = standings_of(strategy);
  if (only_wait_goal())
    return fmt::format("the goal ({} of the jobs meet it)", share_with_noise(goals.front().value));
  const auto found = std::ranges::find_if(goals, [](const GoalStanding& one) { return !one.reaches.surely; });
  STOCKOUT_CHECK(found != goals.end());
  const auto place = static_cast<std::size_t>(found - goals.begin());
  return fmt::format("\"{}\" ({})", texts_[place], value_text(place, found->value));
}

std::optional<std::string> GoalWords::about_no_job() const {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    bool any_job = false;
    for (std::size_t s = 0; s < comparison_.strategies.size(); ++s)
      any_job = any_job || standings_of(s)[i].value.has_value();
    if (!any_job) return texts_[i];
  }
  return std::nullopt;
}

double GoalWords::least_margin(std::size_t strategy) const {
  const std::vector<GoalStanding> goals = standings_of(strategy);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const auto& value = goals[i].value;
    const Goal* goal = further_goal(i);
    const double margin = !value            ? -1
                          : goal != nullptr ? goal->margin(value->mean)
                                            : value->mean - wait_goal_->quantile;
    least = std::min(least, margin);
  }
  return least;
}

}  // namespace stockout
