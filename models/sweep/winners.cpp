#include "models/sweep/winners.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace stockout {
namespace {

// Strategies of the point that qualify, the cheapest first.
std::vector<std::size_t> qualified_at(const StoredPoint& point) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < point.results.size(); ++i)
    if (point.results[i] && point.results[i]->rank) found.push_back(i);
  std::ranges::sort(found, {}, [&](std::size_t i) { return *point.results[i]->rank; });
  return found;
}

// By the last bit: then it is no question of chance which of them to buy.
bool cost_the_same(const StoredPoint& point, std::size_t a, std::size_t b) {
  const StoredMean& left = *(*point.results[a])[Measure::cost];
  const StoredMean& right = *(*point.results[b])[Measure::cost];
  return left.mean == right.mean && left.half_width == right.half_width;
}

// One replication tells nothing of chance, nor does one round of worlds, where anything is drawn.
bool is_sure(const StoredPoint& point, std::size_t round) {
  const auto any = [&](auto holds) {
    return std::ranges::any_of(point.results, [&](const auto& result) { return result && holds(*result); });
  };
  const bool drew = any([](const StoredResult& result) { return result.drew; });
  const bool was_repeated = any([&](const StoredResult& result) { return result.replications > round; });
  return point.verdict != Verdict::Kind::undecided && (was_repeated || !drew);
}

PointWinner winner_at(const StoredPoint& point, std::size_t round, std::vector<StrategyTally>& tallies) {
  const std::vector<std::size_t> qualified = qualified_at(point);
  for (const std::size_t i : qualified) ++tallies[i].qualifies;
  PointWinner found;
  if (qualified.empty()) return found;
  const std::size_t winner = qualified.front();
  found.winner = winner;
  found.is_sure = is_sure(point, round);
  ++tallies[winner].wins;
  if (found.is_sure) ++tallies[winner].sure;
  const auto dearer = std::ranges::find_if(
      qualified, [&](std::size_t i) { return i != winner && !cost_the_same(point, i, winner); });
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
    found.points.push_back(winner_at(point, sweep.head.round(), found.tallies));
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
