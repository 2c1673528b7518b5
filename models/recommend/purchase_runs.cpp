#include "models/recommend/purchase_runs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "models/experiment/on_threads.h"
#include "models/launch/most_steps.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

bool has_run(const ClassStarts& one) { return one.jobs == 0 || one.started > 0; }

/// Ends a run if the work is to stop.
class PurchaseWatch : public RunObserver {
 public:
  explicit PurchaseWatch(PurchaseStore& store) : store_{store} {}

  void begin(const RunPlace& /*run*/, Logs& logs) override {
    also_hear(logs.on_time, [this](SimTime /*now*/) { store_.stop_if_asked(); });
  }

 private:
  PurchaseStore& store_;
};

}  // namespace

PurchaseRuns::PurchaseRuns(const Purchases& purchases, std::span<const Goal> goals,
                           std::function<void(std::size_t)> done, PurchaseStore* store)
    : purchases_{purchases},
      goals_{goals},
      done_{std::move(done)},
      store_{store},
      kept_(purchases.all().size()) {}

Measures PurchaseRuns::measure(std::size_t who, const Scenario& scenario, std::size_t replication,
                               RunObservers observers) const {
  return in_most_steps(scenario, [&] {
    return observe_run(
        scenario.world, {.strategy = purchases_.all()[who].strategy, .replication = replication},
        {.goal = {}, .goals = goals_, .between = scenario.between(), .terms = &scenario.terms}, observers);
  });
}

Measures PurchaseRuns::measure_in_middle(std::size_t who) const {
  return measure(who, purchases_.scenario(purchases_.all()[who]), 0);
}

PurchaseRun PurchaseRuns::simulate(const Place& place, RunObservers observers) const {
  const Scenario& scenario = purchases_.scenario(purchases_.all()[place.who], place.replication);
  Measures measured = measure(place.who, scenario, place.replication, observers);
  PurchaseRun run{.goals = std::move(measured.goals),
                  .undone_gpu_h = measured.undone_gpu_h,
                  .runs_every_class = std::ranges::all_of(measured.classes, has_run),
                  .drew = measured.drew};
  std::ranges::transform(kPurchaseMeasures, run.values.begin(),
                         [&](Measure measure) { return measured.total[measure]; });
  return run;
}

KeptRunPlace PurchaseRuns::kept_place(const Place& place) const {
  const PurchaseWorlds& worlds = purchases_.worlds();
  const bool is_as_written = worlds.all().empty();
  return {.purchase = place.who,
          .replication = place.replication,
          .way = purchases_.name(purchases_.all()[place.who]),
          .world = is_as_written ? "" : worlds.all()[worlds.world_of(place.replication)].name};
}

PurchaseRun PurchaseRuns::run_of(const Place& place) const {
  if (store_ == nullptr) return simulate(place);
  store_->stop_if_asked();
  KeptRunPlace kept = kept_place(place);
  if (auto found = store_->find(kept, goals_.size())) return *std::move(found);
  PurchaseWatch watch{*store_};
  const std::array<RunObserver*, 1> observers{&watch};
  PurchaseRun run = simulate(place, observers);
  const Scenario& scenario = purchases_.scenario(purchases_.all()[place.who], place.replication);
  store_->add(std::move(kept), run, scenario.inputs);
  return run;
}

void PurchaseRuns::run_all(const std::vector<Place>& places, int threads) {
  std::atomic<std::size_t> simulated{simulated_};
  on_threads(threads, places.size(), [&](std::size_t i) {
    kept_[places[i].who].runs[places[i].replication] = run_of(places[i]);
    ++simulated;
    if (done_) done_(simulated);
  });
  for (const Place& place : places) ++kept_[place.who].simulated;
  simulated_ += places.size();
}

bool PurchaseRuns::draws(std::size_t who) const {
  const PurchaseWorlds& worlds = purchases_.worlds();
  for (std::size_t replication = 0; replication < worlds.round(); ++replication) {
    if (kept_[who].runs[worlds.first_alike(replication)].drew) return true;
  }
  return false;
}

void PurchaseRuns::run(std::span<const std::size_t> who, std::size_t to, int threads) {
  const PurchaseWorlds& worlds = purchases_.worlds();
  STOCKOUT_CHECK(to >= worlds.round() && to % worlds.round() == 0);
  std::vector<Place> first;  // in each world, which tells who draws there at all
  for (const std::size_t i : who) {
    if (!kept_[i].runs.empty()) continue;
    kept_[i].runs.resize(worlds.round());
    for (std::size_t r = 0; r < worlds.round(); ++r) {
      if (worlds.first_alike(r) == r) first.push_back({.who = i, .replication = r});
    }
  }
  run_all(first, threads);
  std::vector<Place> others;
  for (const std::size_t i : who) add_others(i, to, others);
  run_all(others, threads);
}

void PurchaseRuns::add_others(std::size_t who, std::size_t to, std::vector<Place>& places) {
  if (!draws(who)) return;
  const PurchaseWorlds& worlds = purchases_.worlds();
  Kept& kept = kept_[who];
  for (std::size_t r = kept.complete_to; r < to; ++r) {
    const std::size_t first = worlds.first_alike(r);
    if (first != r && kept.runs[first].drew) places.push_back({.who = who, .replication = r});
  }
  kept.complete_to = std::max(kept.complete_to, to);
  kept.runs.resize(kept.complete_to);
}

const PurchaseRun& PurchaseRuns::at(std::size_t who, std::size_t replication) const {
  const std::vector<PurchaseRun>& runs = kept_[who].runs;
  const PurchaseRun& first = runs[purchases_.worlds().first_alike(replication)];
  if (!first.drew) return first;
  STOCKOUT_CHECK(replication < runs.size());
  return runs[replication];
}

}  // namespace stockout
