#include "models/sweep/winners.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace stockout {
namespace {

// Shares are sums of ratios: what is reached exactly must not be missed by the last bit.
constexpr double kShareSlack = 1e-12;

double mean_or(const StoredResult& result, Measure measure, double otherwise) {
  const auto& mean = result[measure];
  return mean ? mean->mean : otherwise;
}

/// The strategies of one point.
class PointJudge {
 public:
  explicit PointJudge(const StoredPoint& point) : point_{point} {
    for (std::size_t i = 0; i < point.results.size(); ++i) {
      if (!point.results[i] || !at(i)[Measure::cost]) continue;
      most_replications_ = std::max(most_replications_, at(i).replications);
      present_.push_back(i);
    }
    std::ranges::stable_sort(present_, [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    const bool any_runs_all = std::ranges::any_of(present_, [&](std::size_t i) { return runs_all(i); });
    for (const std::size_t i : present_) {
      if (any_runs_all && !runs_all(i)) continue;
      most_work_ = std::max(most_work_, mean_or(at(i), Measure::work_done_share, 0));
    }
  }

  // Of each class that came some job started; or there is no other strategy.
  [[nodiscard]] bool runs_all(std::size_t i) const { return at(i).never_ran.empty() || present_.size() == 1; }

  // The cheapest first.
  [[nodiscard]] std::vector<std::size_t> qualified() const {
    std::vector<std::size_t> found;
    for (const std::size_t i : present_) {
      if (runs_all(i) && meets_goal(i) && does_the_work(i)) found.push_back(i);
    }
    return found;
  }

  [[nodiscard]] bool is_sure(std::size_t winner) const {
    return surely_meets_goal(winner) && std::ranges::all_of(present_, [&](std::size_t i) {
             return i == winner || !runs_all(i) || costs_the_same(i, winner) || surely_misses_goal(i) ||
                    surely_costs_more(i, winner);
           });
  }

  // By the last bit: then it is no question of chance which of them to buy.
  [[nodiscard]] bool costs_the_same(std::size_t a, std::size_t b) const {
    const StoredMean& left = *at(a)[Measure::cost];
    const StoredMean& right = *at(b)[Measure::cost];
    return left.mean == right.mean && left.half_width == right.half_width;
  }

 private:
  [[nodiscard]] const StoredResult& at(std::size_t strategy) const { return *point_.results[strategy]; }

  // As the verdict ranks: by cost, then more jobs within the goal, then the shorter wait.
  [[nodiscard]] std::tuple<double, double, double> rank(std::size_t i) const {
    return {mean_or(at(i), Measure::cost, 0), -mean_or(at(i), Measure::goal_met_share, 0),
            mean_or(at(i), Measure::wait_mean, 0)};
  }

  [[nodiscard]] bool meets_goal(std::size_t i) const {
    return !point_.goal || mean_or(at(i), Measure::goal_met_share, -1) >= point_.goal->quantile - kShareSlack;
  }

  [[nodiscard]] bool does_the_work(std::size_t i) const {
    const double same_work = point_.goal ? point_.goal->same_work : kSameWork;
    const auto& done = at(i)[Measure::work_done_share];
    return !done || done->mean >= same_work * most_work_ - kShareSlack;
  }

  // Without an interval: nothing, if it draws nothing while others do; else anything.
  [[nodiscard]] double noise_of(std::size_t i, Measure measure) const {
    const auto& mean = at(i)[measure];
    if (mean && mean->half_width) return *mean->half_width;
    const bool draws_nothing = at(i).replications == 1 && most_replications_ > 1;
    return draws_nothing ? 0 : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] bool surely_meets_goal(std::size_t i) const {
    return !point_.goal ||
           mean_or(at(i), Measure::goal_met_share, -1) - noise_of(i, Measure::goal_met_share) >=
               point_.goal->quantile - kShareSlack;
  }

  [[nodiscard]] bool surely_misses_goal(std::size_t i) const {
    return point_.goal && mean_or(at(i), Measure::goal_met_share, -1) + noise_of(i, Measure::goal_met_share) <
                              point_.goal->quantile - kShareSlack;
  }

  // The interval of a difference is no wider than both together: sd(a - b) <= sd(a) + sd(b).
  [[nodiscard]] bool surely_costs_more(std::size_t i, std::size_t than) const {
    return mean_or(at(i), Measure::cost, 0) - mean_or(at(than), Measure::cost, 0) >
           noise_of(i, Measure::cost) + noise_of(than, Measure::cost);
  }

  const StoredPoint& point_;
  std::vector<std::size_t> present_;
  std::size_t most_replications_ = 1;
  double most_work_ = 0;
};

PointWinner judge_point(const PointJudge& judge, std::vector<StrategyTally>& tallies) {
  const std::vector<std::size_t> qualified = judge.qualified();
  for (const std::size_t i : qualified) ++tallies[i].qualifies;
  PointWinner found;
  if (qualified.empty()) return found;
  const std::size_t winner = qualified.front();
  found.winner = winner;
  found.is_sure = judge.is_sure(winner);
  ++tallies[winner].wins;
  const auto dearer = std::ranges::find_if(
      qualified, [&](std::size_t i) { return i != winner && !judge.costs_the_same(i, winner); });
  found.tied.assign(std::next(qualified.begin()), dearer);
  if (dearer == qualified.end()) return found;
  found.runner_up = *dearer;
  ++tallies[*dearer].next;
  return found;
}

double median_or_most(const StoredSweep& sweep, std::size_t strategy, Measure measure) {
  const auto range = range_of(sweep, strategy, measure);
  return range ? range->median.mean : std::numeric_limits<double>::infinity();
}

// By wins, then by being next; then, before any wins, by what meets the goal; then by cost.
std::vector<std::size_t> contenders(const StoredSweep& sweep, const std::vector<StrategyTally>& tallies) {
  std::vector<std::tuple<std::size_t, std::size_t, double, double>> keys;
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    const auto met = range_of(sweep, i, Measure::goal_met_share);
    keys.emplace_back(tallies[i].wins, tallies[i].next, met ? met->median.mean : -1,
                      -median_or_most(sweep, i, Measure::cost));
  }
  std::vector<std::size_t> order(tallies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return keys[a] > keys[b]; });
  return order;
}

}  // namespace

SweepWinners find_winners(const StoredSweep& sweep) {
  SweepWinners found;
  found.tallies.resize(sweep.strategies.size());
  for (const StoredPoint& point : sweep.points) {
    for (std::size_t i = 0; i < point.results.size(); ++i) {
      if (!point.results[i]) continue;
      ++found.tallies[i].points;
      if (!point.results[i]->never_ran.empty()) ++found.tallies[i].never_runs;
    }
    found.points.push_back(judge_point(PointJudge{point}, found.tallies));
    if (!found.points.back().winner) ++found.none;
    if (found.points.back().is_sure) ++found.sure;
  }
  if (sweep.points.empty()) return found;
  const std::vector<std::size_t> order = contenders(sweep, found.tallies);
  if (!order.empty()) found.best = order[0];
  if (order.size() > 1) found.runner_up = order[1];
  for (const PointWinner& point : found.points) {
    if (point.winner != found.best) continue;
    for (const std::size_t tied : point.tied) ++found.tallies[tied].ties;
  }
  return found;
}

std::optional<MeanRange> range_of(const StoredSweep& sweep, std::size_t strategy, Measure measure) {
  std::vector<StoredMean> means;
  for (const StoredPoint& point : sweep.points) {
    const auto& result = point.results[strategy];
    if (result && (*result)[measure]) means.push_back(*(*result)[measure]);
  }
  if (means.empty()) return std::nullopt;
  std::ranges::stable_sort(means, {}, &StoredMean::mean);
  return MeanRange{.lowest = means.front(), .median = means[(means.size() - 1) / 2], .highest = means.back()};
}

}  // namespace stockout
