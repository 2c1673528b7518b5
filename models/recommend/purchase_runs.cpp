#include "models/recommend/purchase_runs.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "models/experiment/on_threads.h"
#include "models/experiment/run_observer.h"
#include "models/launch/most_steps.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

bool has_run(const ClassStarts& one) { return one.jobs == 0 || one.started > 0; }

}  // namespace

const Value& PurchaseRun::operator[](Measure measure) const {
  const auto found = std::ranges::find(kPurchaseMeasures, measure);
  STOCKOUT_CHECK(found != kPurchaseMeasures.end());
  return values[static_cast<std::size_t>(found - kPurchaseMeasures.begin())];
}

PurchaseRuns::PurchaseRuns(const Purchases& purchases, std::span<const Goal> goals,
                           std::function<void(std::size_t)> done)
    : purchases_{purchases}, goals_{goals}, done_{std::move(done)}, runs_(purchases.all().size()) {}

Measures PurchaseRuns::measure(std::size_t who, std::size_t replication) const {
  const Purchase& purchase = purchases_.all()[who];
  const Scenario& scenario = purchases_.scenario(purchase);
  return in_most_steps(scenario, [&] {
    return observe_run(scenario.world, {.strategy = purchase.strategy, .replication = replication},
                       {.goal = {}, .goals = goals_, .between = scenario.between(), .terms = &scenario.terms},
                       {});
  });
}

PurchaseRun PurchaseRuns::simulate(const Place& place) const {
  Measures measured = measure(place.who, place.replication);
  PurchaseRun run{.goals = std::move(measured.goals),
                  .undone_gpu_h = measured.undone_gpu_h,
                  .runs_every_class = std::ranges::all_of(measured.classes, has_run),
                  .drew = measured.drew};
  std::ranges::transform(kPurchaseMeasures, run.values.begin(),
                         [&](Measure measure) { return measured.total[measure]; });
  return run;
}

void PurchaseRuns::run_all(const std::vector<Place>& places, int threads) {
  for (const Place& place : places) {
    STOCKOUT_CHECK(place.replication == runs_[place.who].size());
    runs_[place.who].emplace_back();
  }
  std::atomic<std::size_t> simulated{simulated_};
  on_threads(threads, places.size(), [&](std::size_t i) {
    runs_[places[i].who][places[i].replication] = simulate(places[i]);
    ++simulated;
    if (done_) done_(simulated);
  });
  simulated_ += places.size();
}

void PurchaseRuns::run(std::span<const std::size_t> who, std::size_t to, int threads) {
  std::vector<Place> first;  // which tells who draws at all
  for (const std::size_t i : who) {
    if (runs_[i].empty()) first.push_back({.who = i, .replication = 0});
  }
  run_all(first, threads);
  std::vector<Place> places;
  for (const std::size_t i : who) {
    if (!draws(i)) continue;
    for (std::size_t replication = runs_[i].size(); replication < to; ++replication)
      places.push_back({.who = i, .replication = replication});
  }
  run_all(places, threads);
}

const PurchaseRun& PurchaseRuns::at(std::size_t who, std::size_t replication) const {
  const std::vector<PurchaseRun>& runs = runs_[who];
  if (!runs.front().drew) return runs.front();
  STOCKOUT_CHECK(replication < runs.size());
  return runs[replication];
}

}  // namespace stockout
