#include "models/experiment/comparison.h"

#include <atomic>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

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

/// Sums up the replications of one strategy in their order, whatever the order in which they are done.
class InOrder {
 public:
  explicit InOrder(std::string name) : reduction_{std::move(name)} {}

  /// `observe` is called with each run that is summed up, in order.
  template <typename Observe>
  void add(std::size_t replication, Measures run, Observe observe) {
    if (replication == 0) first_drew_ = run.drew;
    waiting_.emplace(replication, std::move(run));
    for (auto next = waiting_.find(added_); next != waiting_.end(); next = waiting_.find(added_)) {
      observe(added_, next->second);
      reduction_.add(next->second);
      waiting_.erase(next);
      ++added_;
    }
  }

  /// Whether there was anything random in the first replication.
  [[nodiscard]] bool first_drew() const { return first_drew_; }

  [[nodiscard]] StrategyResult finish() {
    STOCKOUT_CHECK(waiting_.empty());
    return reduction_.finish();
  }

 private:
  StrategyReduction reduction_;
  std::map<std::size_t, Measures> waiting_;  // for one before them
  std::size_t added_ = 0;
  bool first_drew_ = false;
};

class Runner {
 public:
  Runner(const World& world, const CompareOptions& options, std::vector<std::size_t> strategies)
      : world_{world}, options_{options}, strategies_{std::move(strategies)} {
    for (const std::size_t strategy : strategies_) results_.emplace_back(world.strategies[strategy].name);
    total_ = strategies_.size() * options.replications;
  }

  std::vector<StrategyResult> run();

 private:
  void run_points(const std::vector<Point>& points);
  void run_point(const Point& point);

  const World& world_;
  const CompareOptions& options_;
  std::vector<std::size_t> strategies_;
  std::vector<InOrder> results_;
  std::size_t done_ = 0;
  std::size_t total_ = 0;
  std::mutex mutex_;  // of results_, done_ and options_.progress
};

// The first replication of each strategy tells whether there is anything random in it.
std::vector<StrategyResult> Runner::run() {
  std::vector<Point> first;
  for (std::size_t i = 0; i < strategies_.size(); ++i) first.push_back({.strategy = i, .replication = 0});
  run_points(first);
  std::vector<Point> others;
  for (std::size_t replication = 1; replication < options_.replications; ++replication) {
    for (std::size_t i = 0; i < strategies_.size(); ++i) {
      if (results_[i].first_drew()) others.push_back({.strategy = i, .replication = replication});
    }
  }
  total_ = first.size() + others.size();
  run_points(others);
  std::vector<StrategyResult> results;
  for (InOrder& result : results_) results.push_back(result.finish());
  return results;
}

// Points are begun in their order, so that few results wait for one before them.
void Runner::run_points(const std::vector<Point>& points) {
  // More threads than cores would only take memory.
  const int cores = tbb::info::default_concurrency();
  tbb::task_arena arena{options_.threads > 0 ? std::min(options_.threads, cores) : cores};
  std::atomic<std::size_t> next{0};
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>{0, points.size(), 1},
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i < range.end(); ++i) run_point(points[next.fetch_add(1)]);
        },
        tbb::simple_partitioner{});
  });
}

// The record lives no longer than this call: at most one a thread.
void Runner::run_point(const Point& point) {
  const std::size_t strategy = strategies_[point.strategy];
  const RunRecord record = simulate(world_, strategy, point.replication);
  Measures measured = measure(world_, strategy, point.replication, record,
                              {.by = options_.by,
                               .goal = options_.goal,
                               .between = options_.between,
                               .terms = options_.terms,
                               .keep_use = options_.observe != nullptr});
  if (options_.look_at_run) options_.look_at_run(strategy, point.replication, record, measured);
  const std::lock_guard lock{mutex_};
  results_[point.strategy].add(point.replication, std::move(measured),
                               [&](std::size_t replication, Measures& run) {
                                 if (options_.observe) options_.observe(strategy, replication, run);
                               });
  ++done_;
  if (options_.progress) options_.progress(done_, total_);
}

}  // namespace

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
  Comparison comparison;
  comparison.replications = options.replications;
  comparison.strategies = Runner{world, options, std::move(strategies)}.run();
  comparison.fingerprint = fingerprint_of(comparison.strategies);
  return comparison;
}

}  // namespace stockout
