#include "models/experiment/runner.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "sim/core/check.h"

namespace stockout {
namespace {

// Of things that are done on threads, the failure of the first that failed.
class FirstFailure {
 public:
  [[nodiscard]] bool is_there() const { return is_there_; }

  template <typename Do>
  void watch(std::size_t number, const Do& what) {
    try {
      what(number);
    } catch (...) {
      const std::lock_guard lock{mutex_};
      if (number < number_) error_ = std::current_exception();
      number_ = std::min(number_, number);
      is_there_ = true;
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<bool> is_there_{false};
  std::mutex mutex_;  // of what follows
  std::size_t number_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr error_;
};

}  // namespace

void InOrder::add(const RunPlace& run, Measures measures, RunObservers observers) {
  if (run.replication == 0) first_drew_ = measures.drew;
  waiting_.emplace(run.replication, std::move(measures));
  for (auto next = waiting_.find(added_); next != waiting_.end(); next = waiting_.find(added_)) {
    for (RunObserver* observer : observers)
      observer->add({.strategy = run.strategy, .replication = added_}, next->second);
    reduction_.add(next->second, surplus_ != nullptr ? &surplus_->at(added_) : nullptr);
    waiting_.erase(next);
    ++added_;
  }
}

StrategyResult InOrder::finish(const std::vector<JobClass>& classes) {
  STOCKOUT_CHECK(waiting_.empty());
  return reduction_.finish(classes);
}

Runner::Runner(const World& world, const CompareOptions& options, std::vector<std::size_t> strategies)
    : world_{world}, options_{options}, strategies_{std::move(strategies)} {
  if (options.control_variates) controls_.emplace(world);
  const bool controlled = controls_ && !controls_->controls().empty();
  for (const std::size_t strategy : strategies_)
    results_.emplace_back(world.strategies[strategy].name, controlled ? &surplus_ : nullptr);
  total_ = strategies_.size() * (options.precision ? 1 : options.replications);
}

bool Runner::draws() const { return std::ranges::any_of(results_, &InOrder::first_drew); }

std::vector<KnownTo> Runner::known_to(const Precision& asked) const {
  std::vector<KnownTo> known;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (results_[i].first_drew()) add_known(asked, i, results_[i].total(), known);
  }
  return known;
}

ControlsUsed Runner::controls() const {
  STOCKOUT_CHECK(controls_.has_value());
  return {.controls = controls_->controls(), .surplus = surplus_};
}

std::vector<StrategyResult> Runner::finish() {
  std::vector<StrategyResult> results;
  for (InOrder& result : results_) results.push_back(result.finish(world_.classes));
  return results;
}

// The first replication of each strategy tells whether there is anything random in it.
void Runner::run_until(std::size_t replications) {
  std::vector<Point> points;
  for (std::size_t replication = replications_; replication < replications; ++replication) {
    for (std::size_t i = 0; i < strategies_.size(); ++i) {
      if (replication == 0 || results_[i].first_drew())
        points.push_back({.strategy = i, .replication = replication});
    }
  }
  if (replications_ > 0) total_ = done_ + points.size();
  draw_controls(replications);
  run_points(points);
  replications_ = replications;
}

void Runner::draw_controls(std::size_t replications) {
  if (!controls_ || controls_->controls().empty()) return;
  surplus_.resize(replications);
  on_threads(replications - replications_,
             [&](std::size_t i) { surplus_[replications_ + i] = controls_->surplus(replications_ + i); });
}

// Begun in order, so that few results wait for one before them. After a failure nothing more is begun; those
// under way are waited for, so that the first to fail is the same whatever the threads.
template <typename Do>
void Runner::on_threads(std::size_t count, const Do& what) {
  // More threads than cores would only take memory.
  const int cores = tbb::info::default_concurrency();
  tbb::task_arena arena{options_.threads > 0 ? std::min(options_.threads, cores) : cores};
  std::atomic<std::size_t> next{0};
  FirstFailure failure;
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>{0, count, 1},
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i < range.end() && !failure.is_there(); ++i)
            failure.watch(next.fetch_add(1), what);
        },
        tbb::simple_partitioner{});
  });
  failure.rethrow();
}

void Runner::run_points(const std::vector<Point>& points) {
  on_threads(points.size(), [&](std::size_t i) { run_point(points[i]); });
}

void Runner::run_point(const Point& point) {
  const RunPlace run{.strategy = strategies_[point.strategy], .replication = point.replication};
  Measures measured = observe_run(
      world_, run,
      {.by = options_.by, .goal = options_.goal, .between = options_.between, .terms = options_.terms},
      options_.observers);
  const std::lock_guard lock{mutex_};
  results_[point.strategy].add(run, std::move(measured), options_.observers);
  ++done_;
  for (RunObserver* observer : options_.observers) observer->count(done_, total_);
}

}  // namespace stockout
