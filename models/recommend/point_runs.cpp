#include "models/recommend/point_runs.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "models/experiment/run_observer.h"
#include "models/experiment/stopping.h"
#include "sim/core/check.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

std::optional<double> share_of(const Measures& run, Measure measure) {
  const Value& value = run.total[measure];
  return value.is_absent() ? std::nullopt : std::optional{value.value};
}

bool is_same_goal(const std::optional<WaitGoal>& a, const std::optional<WaitGoal>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->quantile == b->quantile && a->at_most == b->at_most && a->job_class == b->job_class &&
         a->same_work == b->same_work;
}

}  // namespace

PointRuns::PointRuns(const Sweep& sweep, const Catalog& catalog, ScenarioCache& cache) {
  for (std::size_t point = 0; point < sweep.design.points(); ++point) {
    auto& scenario = scenarios_.emplace_back();
    try {
      scenario = point_scenario(sweep, point, catalog, cache);
    } catch (const InputError& error) {
      refused_.push_back({.point = point, .why = error.what()});
      continue;
    }
    for (std::size_t strategy = 0; strategy < scenario->world.strategies.size(); ++strategy)
      candidates_.push_back({.point = point, .strategy = strategy});
  }
  if (candidates_.empty())
    throw InputError{{.file = sweep.file}, "no point is accepted; the first: " + refused_.front().why};
  for (const PurchaseCandidate& candidate : candidates_) {
    if (!is_same_goal(scenario(candidate).goal, goal()))
      throw InputError{{.file = sweep.file},
                       "varies the goal: what is bought can be compared under one only"};
  }
  runs_.resize(candidates_.size());
}

const std::optional<WaitGoal>& PointRuns::goal() const { return scenario(candidates_.front()).goal; }

PointRuns::Run PointRuns::run(const PurchaseCandidate& candidate, std::size_t replication) const {
  const Scenario& of = scenario(candidate);
  const Measures measured = observe_run(
      of.world, {.strategy = candidate.strategy, .replication = replication},
      {.goal = of.goal, .between = of.consecutive_within.value_or(kConsecutiveWithin), .terms = &of.terms},
      {});
  std::optional<double> goal_met = share_of(measured, Measure::goal_met_share);
  if (!of.goal) goal_met = 1;
  return {.seen = {.cost = measured.total[Measure::cost].value,
                   .met = {goal_met, share_of(measured, Measure::work_done_share)}},
          .drew = measured.drew};
}

bool PointRuns::needs(std::size_t who, std::size_t replication) const {
  const std::vector<Run>& known = runs_[who];
  return replication == 0 || known.empty() || known.front().drew;
}

void PointRuns::run_all(std::span<const std::size_t> who, std::size_t from, std::size_t to, int threads) {
  struct RunOf {
    std::size_t who = 0;
    std::size_t replication = 0;
  };
  std::vector<RunOf> places;
  for (const std::size_t i : who) {
    STOCKOUT_CHECK(runs_[i].size() == from || !needs(i, from));
    if (!needs(i, from)) continue;
    runs_[i].resize(to);
    for (std::size_t replication = from; replication < to; ++replication)
      places.push_back({.who = i, .replication = replication});
  }
  std::vector<std::exception_ptr> failures(places.size());
  const int cores = tbb::info::default_concurrency();
  tbb::task_arena arena{threads > 0 ? std::min(threads, cores) : cores};
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, places.size(), [&](std::size_t i) {
      try {
        runs_[places[i].who][places[i].replication] = run(candidates_[places[i].who], places[i].replication);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    });
  });
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  simulated_ += places.size();
}

std::vector<std::vector<Observation>> PointRuns::observe(std::span<const std::size_t> who, std::size_t from,
                                                         std::size_t to, int threads) {
  if (from == 0) run_all(who, 0, 1, threads);  // which tells who draws at all
  run_all(who, std::max<std::size_t>(from, 1), to, threads);
  std::vector<std::vector<Observation>> seen;
  for (const std::size_t i : who) {
    std::vector<Observation>& row = seen.emplace_back();
    for (std::size_t replication = from; replication < to; ++replication)
      row.push_back(runs_[i][needs(i, replication) ? replication : 0].seen);
  }
  return seen;
}

namespace {

// On average over these replications, of the candidate that does most.
double most_work(const std::vector<std::vector<Observation>>& seen) {
  double most = 0;
  for (const std::vector<Observation>& row : seen) {
    double sum = 0;
    double count = 0;
    for (const Observation& one : row) {
      if (!one.met[kSameWorkGoal]) continue;
      sum += *one.met[kSameWorkGoal];
      ++count;
    }
    if (count > 0) most = std::max(most, sum / count);
  }
  return most;
}

}  // namespace

Selection select_purchase(PointRuns& runs, const PurchaseRules& rules) {
  std::vector<std::size_t> all(runs.candidates().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto first = runs.observe(all, 0, kFirstLook, rules.threads);
  const std::optional<WaitGoal>& goal = runs.goal();
  const double same_work = goal ? goal->same_work : kSameWork;
  const SelectionRules selection{
      .goals = {{.share = goal ? goal->quantile : 0, .tolerance = rules.goal_tolerance},
                {.share = same_work * most_work(first), .tolerance = rules.work_tolerance}},
      .indifference = rules.indifference,
      .error = rules.error,
      .most = rules.most};
  return select_cheapest(all.size(), selection,
                         [&](std::span<const std::size_t> who, std::size_t from, std::size_t to) {
                           return from == 0 ? first : runs.observe(who, from, to, rules.threads);
                         });
}

}  // namespace stockout
