#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/experiment/comparison.h"
#include "models/experiment/standing.h"
#include "models/measures/wait_goal.h"

namespace stockout {

/// The goals of a comparison in the sentences of a verdict: the wait goal first, then the others. A single
/// wait goal is told by its share of jobs, several goals by those that are missed.
class GoalWords {
 public:
  /// `wait_goal_text`: of the wait goal, if there is one. All outlive this.
  GoalWords(const Comparison& comparison, const std::optional<WaitGoal>& wait_goal,
            const std::string& wait_goal_text, const Standings& standings);

  [[nodiscard]] bool any() const { return !texts_.empty(); }
  [[nodiscard]] bool several() const { return texts_.size() > 1; }
  [[nodiscard]] bool only_wait_goal() const { return wait_goal_ && !several(); }

  /// "the goal (95 % of jobs start within 4h and complete)", "the goals (...; ...)".
  [[nodiscard]] std::string named() const;

  /// Each that the strategy misses on average: ""90 % of jobs meet their deadline" (88.0 % ± 1.2)".
  [[nodiscard]] std::vector<std::string> missed(std::size_t strategy) const;

  /// How the strategy does by them: "97.6 % ± 2.0 do", "all goals met". There are goals.
  [[nodiscard]] std::string met(std::size_t strategy) const;

  /// The first that the strategy does not meet with its whole interval, which there is.
  [[nodiscard]] std::string unsure(std::size_t strategy) const;

  /// The first that is about no job of any strategy, if there is one.
  [[nodiscard]] std::optional<std::string> about_no_job() const;

  /// By how much the strategy meets the goal that it meets least, as Goal::margin() has it; -1 where there is
  /// no job.
  [[nodiscard]] double least_margin(std::size_t strategy) const;

 private:
  [[nodiscard]] std::vector<GoalStanding> standings_of(std::size_t strategy) const;
  [[nodiscard]] const Goal* further_goal(std::size_t place) const;
  [[nodiscard]] std::string value_text(std::size_t place, const std::optional<Estimate>& value) const;

  const Comparison& comparison_;
  const std::optional<WaitGoal>& wait_goal_;
  const Standings& standings_;
  std::vector<std::string> texts_;
};

}  // namespace stockout
