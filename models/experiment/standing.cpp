#include "models/experiment/standing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/experiment/cost_difference.h"

namespace stockout {
namespace {

// Shares are sums of ratios: what is reached exactly must not be missed by the last bit.
constexpr double kSlack = 1e-12;
constexpr double kSameCost = 0.001;  // nobody chooses by less

// A strategy that draws nothing is run once: the same every time.
template <typename T>
const T& of_replication(const std::vector<T>& values, std::size_t replication) {
  return values.size() == 1 ? values.front() : values[replication];
}

std::optional<Estimate> estimate_present(const std::vector<std::optional<double>>& values) {
  RunningEstimate running;
  for (const auto& value : values) {
    if (value) running.add(*value);
  }
  return running.count() > 0 ? std::optional{running.result()} : std::nullopt;
}

Reaches reaches(const Estimate& estimate, double asked) {
  return {.on_average = estimate.mean >= asked - kSlack,
          .surely = estimate.low() >= asked - kSlack,
          .may = estimate.high() >= asked - kSlack};
}

// A budget is met by little, a share by much.
Reaches reaches(const Goal& goal, const Estimate& value) {
  const auto is_met = [&](double at) { return goal.margin(at) >= -kSlack; };
  const bool is_budget = goal.kind == Goal::Kind::budget;
  return {.on_average = is_met(value.mean),
          .surely = is_met(is_budget ? value.high() : value.low()),
          .may = is_met(is_budget ? value.low() : value.high())};
}

constexpr Reaches kMissed{.on_average = false, .surely = false, .may = false};

Reaches both(const Reaches& a, const Reaches& b) {
  return {.on_average = a.on_average && b.on_average, .surely = a.surely && b.surely, .may = a.may && b.may};
}

GoalStanding standing_to(const Goal& goal, const std::vector<std::optional<double>>& values) {
  GoalStanding standing{.value = estimate_present(values), .reaches = kMissed};
  if (standing.value) standing.reaches = reaches(goal, *standing.value);
  return standing;
}

}  // namespace

Standings::Standings(const Comparison& comparison, const std::optional<WaitGoal>& goal)
    : comparison_{comparison}, standings_(comparison.strategies.size()) {
  for (std::size_t i = 0; i < standings_.size(); ++i) {
    Standing& standing = standings_[i];
    const StrategyResult& strategy = comparison.strategies[i];
    standing.work_done = estimate_present(strategy.work_done);
    standing.runs_all = strategy.never_ran.empty();
    if (goal) {
      standing.goal_met = estimate_present(strategy.goal_met);
      standing.wait_goal = standing.goal_met ? reaches(*standing.goal_met, goal->quantile) : kMissed;
    }
    standing.goal = standing.service = standing.wait_goal;
    for (std::size_t g = 0; g < comparison.goals.size(); ++g) {
      const Goal& asked = comparison.goals[g].goal;
      standing.goals.push_back(standing_to(asked, strategy.goals[g]));
      const Reaches& reached = standing.goals.back().reaches;
      standing.goal = both(standing.goal, reached);
      standing.others_met = standing.others_met && reached.on_average;
      if (asked.kind != Goal::Kind::budget) standing.service = both(standing.service, reached);
    }
  }
  find_most_complete();
  for (std::size_t i = 0; i < standings_.size(); ++i) {
    standings_[i].work = reaches_work(i, goal ? goal->same_work : kSameWork);
  }
}

void Standings::find_most_complete() {
  const std::vector<std::size_t> order = by_cost();
  const bool any_runs_all = std::ranges::any_of(standings_, &Standing::runs_all);
  bool is_found = false;
  for (const std::size_t i : order) {
    if (any_runs_all && !standings_[i].runs_all) continue;
    if (!is_found || work_of(i) > work_of(most_complete_)) most_complete_ = i;
    is_found = true;
  }
}

double Standings::work_of(std::size_t strategy) const {
  return standings_[strategy].work_done ? standings_[strategy].work_done->mean : 0;
}

Reaches Standings::reaches_work(std::size_t strategy, double same_work) const {
  const auto& done = comparison_.strategies[strategy].work_done;
  const auto& most = comparison_.strategies[most_complete_].work_done;
  RunningEstimate difference;
  for (std::size_t r = 0; r < std::max(done.size(), most.size()); ++r) {
    const auto& mine = of_replication(done, r);
    const auto& theirs = of_replication(most, r);
    if (mine && theirs) difference.add(*mine - *theirs, 1);
  }
  if (difference.count() == 0) return {};
  return reaches(difference.result(), -(1 - same_work) * work_of(most_complete_));
}

Estimate Standings::extra_cost(std::size_t other, std::size_t than) const {
  return cost_difference(comparison_, other, than).more;
}

bool Standings::cost_the_same(std::size_t a, std::size_t b) const {
  const Estimate extra = extra_cost(a, b);
  const double cost = std::min(comparison_.strategies[a].total[Measure::cost].mean,
                               comparison_.strategies[b].total[Measure::cost].mean);
  return std::abs(extra.mean) + extra.half_width.value_or(0) <= kSameCost * std::abs(cost);
}

bool Standings::may_beat(std::size_t other, std::size_t winner) const {
  const Standing& standing = standings_[other];
  if (!standing.may_qualify() || (standing.qualifies() && cost_the_same(other, winner))) return false;
  return extra_cost(other, winner).low() <= 0;
}

// Whether `a` is the better buy of two that cost the same.
bool Standings::waits_less(std::size_t a, std::size_t b) const {
  const double met_a = standings_[a].goal_met ? standings_[a].goal_met->mean : 0;
  const double met_b = standings_[b].goal_met ? standings_[b].goal_met->mean : 0;
  if (met_a != met_b) return met_a > met_b;
  return comparison_.strategies[a].total[Measure::wait_mean].mean <
         comparison_.strategies[b].total[Measure::wait_mean].mean;
}

std::vector<std::size_t> Standings::by_cost() const {
  const auto cost = [&](std::size_t i) { return comparison_.strategies[i].total[Measure::cost].mean; };
  std::vector<std::size_t> order(standings_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return cost(a) != cost(b) ? cost(a) < cost(b) : waits_less(a, b);
  });
  return order;
}

std::optional<std::size_t> Standings::recommended() const {
  for (const std::size_t i : by_cost())
    if (standings_[i].qualifies()) return i;
  return std::nullopt;
}

std::vector<std::optional<std::size_t>> Standings::ranks() const {
  std::vector<std::optional<std::size_t>> ranks(standings_.size());
  std::size_t rank = 0;
  for (const std::size_t i : by_cost())
    if (standings_[i].qualifies()) ranks[i] = ++rank;
  return ranks;
}

}  // namespace stockout
