#include "models/calibration/backtest_runs.h"

#include <atomic>
#include <utility>

#include <fmt/format.h>

#include "models/experiment/on_threads.h"
#include "models/launch/most_steps.h"
#include "models/measures/measures.h"
#include "models/scenario/format/varied_value.h"
#include "models/simulation/simulate.h"
#include "sim/core/hours.h"
#include "sim/stats/weighted_quantile.h"

namespace stockout {
namespace {

constexpr SimDuration kBlock = std::chrono::hours{7 * 24};

// Of waits that ended.
struct MeanWait {
  double hours = 0;
  double jobs = 0;

  void add(SimDuration wait) {
    if (wait == kForever) return;
    hours += to_hours(wait);
    ++jobs;
  }
  [[nodiscard]] double value() const { return jobs > 0 ? hours / jobs : 0; }
};

std::vector<SimDuration> known_waits(const std::vector<HistoryJob>& jobs) {
  std::vector<SimDuration> waits;
  waits.reserve(jobs.size());
  for (const HistoryJob& job : jobs)
    waits.push_back(job.waited > SimDuration::zero() ? job.waited : job.wait);
  return waits;
}

double mean_after_split(const BacktestTask& task, const Scenario& scenario, const RunRecord& record,
                        std::uint64_t luck) {
  MeanWait mean;
  for_each_recorded_job(scenario.world, luck, [&](std::uint64_t number, const Job& job) {
    if (job.source != task.source || job.submit < task.split) return;
    mean.add(wait_to_work(record.jobs.at(number)).value_or(kForever));
  });
  return mean.value();
}

// In place of the jobs that came, those before the split in blocks of a week, in a random order.
std::vector<PlacedValue> with_earlier_jobs(const BacktestTask& task, const CalibratedWorld& world) {
  std::vector<PlacedValue> changes = world.changes;
  const std::string trace = fmt::format("/workload/{}/trace", index(task.source));
  const auto length = [](SimDuration of) { return length_of(JsonValue{of.count()}, SimDuration{1}); };
  JsonValue::Members resample{{.key = "block", .value = length(kBlock)},
                              {.key = "length", .value = length(task.end - kStart)}};
  changes.push_back({.pointer = trace + "/first",
                     .value = JsonValue{static_cast<std::int64_t>(task.jobs_before)},
                     .said_in = "backtest: the jobs before the split"});
  changes.push_back({.pointer = trace + "/resample",
                     .value = JsonValue{std::move(resample)},
                     .said_in = "backtest: blocks of them"});
  return changes;
}

std::vector<double> bill_of_run(const BacktestTask& task, const Scenario& scenario, std::uint64_t luck,
                                const RunRecord& record) {
  if (task.bill.empty()) return {};
  const Measures measured =
      measure(scenario.world, task.strategy, luck, record, {.goal = {}, .terms = &scenario.terms});
  return bill_of_spans(measured.use, scenario.world, scenario.terms, task.bill);
}

}  // namespace

std::vector<BacktestRun> simulate_worlds(const BacktestTask& task,
                                         const std::vector<CalibratedWorld>& worlds) {
  std::vector<BacktestRun> runs(worlds.size());
  std::atomic<std::size_t> done{0};
  on_threads(task.threads, worlds.size(), [&](std::size_t i) {
    const Scenario scenario = task.load(worlds[i].changes);
    const RunRecord record =
        in_most_steps(scenario, [&] { return simulate(scenario.world, task.strategy, i); });
    runs[i] = {.before = known_waits(task.before.simulated(scenario.world, i, record)),
               .after = known_waits(task.after.simulated(scenario.world, i, record)),
               .weight = worlds[i].weight,
               .bill = bill_of_run(task, scenario, i, record)};
    const std::size_t now = ++done;
    if (task.done) task.done(now);
  });
  return runs;
}

std::optional<ErrorTriangle> error_triangle(const BacktestTask& task,
                                            const std::vector<CalibratedWorld>& worlds,
                                            const std::vector<BacktestRun>& runs) {
  if (task.split - kStart < 4 * kBlock) return std::nullopt;
  MeanWait recorded;
  for (const HistoryJob& job : task.after.recorded()) recorded.add(job.wait);
  // Of each world one, so that a single world without room does not decide.
  WeightedValues<double> own;
  for (const BacktestRun& run : runs) {
    MeanWait mean;
    for (const SimDuration wait : run.after) mean.add(wait);
    own.emplace_back(mean.value(), run.weight);
  }
  WeightedValues<double> modelled(worlds.size());
  on_threads(task.threads, worlds.size(), [&](std::size_t i) {
    const Scenario scenario = task.load(with_earlier_jobs(task, worlds[i]));
    const RunRecord record =
        in_most_steps(scenario, [&] { return simulate(scenario.world, task.strategy, i); });
    modelled[i] = {mean_after_split(task, scenario, record, i), worlds[i].weight};
    if (task.done) task.done(worlds.size() + i + 1);
  });
  const ErrorTriangle triangle{.recorded_h = recorded.value(),
                               .own_jobs_h = weighted_quantile(own, 0.5),
                               .modelled_jobs_h = weighted_quantile(modelled, 0.5)};
  const bool has_means = triangle.recorded_h > 0 && triangle.own_jobs_h > 0;
  return has_means ? std::optional{triangle} : std::nullopt;
}

}  // namespace stockout
