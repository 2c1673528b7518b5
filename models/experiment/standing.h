#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/experiment/comparison.h"
#include "models/measures/wait_goal.h"
#include "sim/stats/interval.h"

namespace stockout {

/// Whether something that replications estimate reaches what is asked.
struct Reaches {
  bool on_average = true;
  bool surely = true;  // with the whole interval
  bool may = true;     // with some of the interval
};

/// How a strategy stands to one of several goals.
struct GoalStanding {
  std::optional<Estimate> value;  // the share of jobs that meet it, of a budget the cost; none: no such job
  Reaches reaches;
};

/// A strategy measured by what is asked of it.
struct Standing {
  std::optional<Estimate> goal_met;   // share of the goal's jobs; none: no goal, or it is about no job
  std::optional<Estimate> work_done;  // share of all work; none: no work came
  std::vector<GoalStanding> goals;    // by Comparison::goals
  Reaches wait_goal;                  // without one: yes
  bool others_met = true;             // all goals but the wait goal, on average
  Reaches service;                    // it and all others but budgets together
  Reaches goal;                       // all of them together
  Reaches work;          // as much as the same work asks, of what the most complete one gets done
  bool runs_all = true;  // of each class that came some job started

  /// Whether it would qualify if the wait goal were another one that it meets.
  [[nodiscard]] bool qualifies_but_for_waits() const { return runs_all && others_met && work.on_average; }
  [[nodiscard]] bool qualifies() const { return runs_all && goal.on_average && work.on_average; }
  [[nodiscard]] bool surely_qualifies() const { return runs_all && goal.surely && work.surely; }
  [[nodiscard]] bool may_qualify() const { return runs_all && goal.may && work.may; }
};

/// How the strategies of a comparison stand to the wait goal and its other goals, to one another's work and
/// to one another's cost. Differences are paired on the same random numbers; a strategy that draws nothing is
/// the same in every replication.
class Standings {
 public:
  Standings(const Comparison& comparison, const std::optional<WaitGoal>& goal);

  [[nodiscard]] const Standing& operator[](std::size_t strategy) const { return standings_[strategy]; }

  /// Extra cost of `other` over `than`, USD.
  [[nodiscard]] Estimate extra_cost(std::size_t other, std::size_t than) const;

  /// At most 0.1 % apart, interval included: nobody would choose by that, and noise is no question.
  [[nodiscard]] bool cost_the_same(std::size_t a, std::size_t b) const;

  /// Whether `other` may be the cheaper one of those that qualify, as chance has it, and the two do not cost
  /// the same.
  [[nodiscard]] bool may_beat(std::size_t other, std::size_t winner) const;

  /// Places of all strategies, the cheapest first; of those with equal cost more jobs within the goal, then
  /// the shorter mean wait, then the first in the scenario.
  [[nodiscard]] std::vector<std::size_t> by_cost() const;

  /// The cheapest of those that qualify; none: none does.
  [[nodiscard]] std::optional<std::size_t> recommended() const;

  /// Of each strategy, from 1 for the cheapest of those that qualify; none if it does not.
  [[nodiscard]] std::vector<std::optional<std::size_t>> ranks() const;

  /// The one that gets the most work done, the cheapest of several. Of those that run jobs of every class, if
  /// there are any.
  [[nodiscard]] std::size_t most_complete() const { return most_complete_; }

 private:
  [[nodiscard]] bool waits_less(std::size_t a, std::size_t b) const;
  void find_most_complete();
  [[nodiscard]] double work_of(std::size_t strategy) const;
  [[nodiscard]] Reaches reaches_work(std::size_t strategy, double same_work) const;

  const Comparison& comparison_;
  std::vector<Standing> standings_;
  std::size_t most_complete_ = 0;
};

}  // namespace stockout
