#include "models/experiment/comparison.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "models/simulation/simulate.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

/// One simulation to be run, and where its measures go.
struct Point {
  std::size_t strategy = 0;  // place among the compared
  std::size_t replication = 0;
};

/// Measures by strategy and replication.
using Results = std::vector<std::vector<Measures>>;

class Runner {
 public:
  Runner(const World& world, const CompareOptions& options, std::vector<std::size_t> strategies)
      : world_{world}, options_{options}, strategies_{std::move(strategies)}, results_(strategies_.size()) {
    total_ = strategies_.size() * options.replications;
  }

  Results run();

 private:
  void run_points(const std::vector<Point>& points);
  void run_point(const Point& point);

  const World& world_;
  const CompareOptions& options_;
  std::vector<std::size_t> strategies_;
  Results results_;
  std::size_t done_ = 0;
  std::size_t total_ = 0;
  std::mutex progress_mutex_;
};

// The first replication of each strategy tells whether there is anything random in it.
Results Runner::run() {
  std::vector<Point> first;
  for (std::size_t i = 0; i < strategies_.size(); ++i) {
    results_[i].resize(1);
    first.push_back({.strategy = i, .replication = 0});
  }
  run_points(first);
  std::vector<Point> others;
  for (std::size_t replication = 1; replication < options_.replications; ++replication) {
    for (std::size_t i = 0; i < strategies_.size(); ++i) {
      if (!results_[i].front().drew) continue;
      results_[i].resize(options_.replications);
      others.push_back({.strategy = i, .replication = replication});
    }
  }
  total_ = first.size() + others.size();
  run_points(others);
  return std::move(results_);
}

void Runner::run_points(const std::vector<Point>& points) {
  // More threads than cores would only take memory.
  const int cores = tbb::info::default_concurrency();
  tbb::task_arena arena{options_.threads > 0 ? std::min(options_.threads, cores) : cores};
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>{0, points.size(), 1},
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i < range.end(); ++i) run_point(points[i]);
        },
        tbb::simple_partitioner{});
  });
}

// The record lives no longer than this call: at most one a thread.
void Runner::run_point(const Point& point) {
  const std::size_t strategy = strategies_[point.strategy];
  const RunRecord record = simulate(world_, strategy, point.replication);
  results_[point.strategy][point.replication] =
      measure(world_, strategy, point.replication, record, {.by = options_.by, .goal = options_.goal});
  const std::lock_guard lock{progress_mutex_};
  ++done_;
  if (options_.progress) options_.progress(done_, total_);
}

std::vector<const Values*> pick(const std::vector<Measures>& runs,
                                const std::function<const Values&(const Measures&)>& of) {
  std::vector<const Values*> picked;
  for (const Measures& run : runs) picked.push_back(&of(run));
  return picked;
}

std::vector<LineUse> mean_lines(const std::vector<Measures>& runs) {
  std::vector<LineUse> mean(runs.front().lines.size());
  const auto n = static_cast<double>(runs.size());
  for (const Measures& run : runs) {
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i].machine_hours += run.lines[i].machine_hours / n;
      mean[i].list_usd += run.lines[i].list_usd / n;
      mean[i].contracted_usd += run.lines[i].contracted_usd / n;
    }
  }
  return mean;
}

Summary summarize_one(const std::vector<const Values*>& replications, Measure measure) {
  std::vector<double> present;
  Summary summary;
  for (const Values* values : replications) {
    const Value& value = (*values)[measure];
    if (value.is_absent()) continue;
    present.push_back(value.value);
    summary.known = std::max(summary.known, value.known);  // absent < exact < at least
  }
  if (present.empty()) return summary;
  const Estimate mean = estimate(present);
  summary.mean = mean.mean;
  if (summary.known == Value::Known::exact) summary.half_width = mean.half_width;
  return summary;
}

}  // namespace

Summaries summarize(const std::vector<const Values*>& replications) {
  Summaries summaries;
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const auto measure = static_cast<Measure>(i);
    summaries[measure] = summarize_one(replications, measure);
  }
  return summaries;
}

StrategyResult summarize_runs(const std::string& name, const std::vector<Measures>& runs) {
  StrategyResult result;
  result.name = name;
  result.replications = runs.size();
  result.drew = runs.front().drew;
  result.total = summarize(pick(runs, [](const Measures& run) -> const Values& { return run.total; }));
  for (std::size_t i = 0; i < runs.front().groups.size(); ++i) {
    result.groups.push_back(
        summarize(pick(runs, [i](const Measures& run) -> const Values& { return run.groups[i]; })));
  }
  for (std::size_t i = 0; i < runs.front().gpus.size(); ++i) {
    result.gpus.push_back(
        summarize(pick(runs, [i](const Measures& run) -> const Values& { return run.gpus[i]; })));
  }
  result.lines = mean_lines(runs);
  bool attained = true;
  for (const Measures& run : runs) {
    result.costs.push_back(run.total[Measure::cost].value);
    result.attained.push_back(run.total[Measure::within_goal_share].value);
    attained = attained && !run.total[Measure::within_goal_share].is_absent();
    result.fingerprints.push_back(run.fingerprint);
  }
  if (!attained) result.attained.clear();
  return result;
}

// FNV-1a over the eight bytes of each fingerprint.
std::uint64_t fingerprint_of(const std::vector<StrategyResult>& strategies) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const StrategyResult& strategy : strategies) {
    for (const std::uint64_t fingerprint : strategy.fingerprints) {
      for (unsigned byte = 0; byte < 8; ++byte) {
        hash = (hash ^ ((fingerprint >> (8 * byte)) & 0xffU)) * 0x100000001b3U;
      }
    }
  }
  return hash;
}

Comparison compare(const World& world, const CompareOptions& options) {
  STOCKOUT_CHECK(options.replications >= 1);
  std::vector<std::size_t> strategies = options.strategies;
  if (strategies.empty()) {
    strategies.resize(world.strategies.size());
    std::iota(strategies.begin(), strategies.end(), std::size_t{0});
  }
  const Results results = Runner{world, options, strategies}.run();
  Comparison comparison;
  comparison.replications = options.replications;
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    comparison.strategies.push_back(summarize_runs(world.strategies[strategies[i]].name, results[i]));
  }
  comparison.fingerprint = fingerprint_of(comparison.strategies);
  return comparison;
}

}  // namespace stockout
