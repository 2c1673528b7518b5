#include "models/experiment/runner.h"

#include <algorithm>
#include <mutex>

#include "models/experiment/on_threads.h"
#include "sim/core/check.h"

namespace stockout {

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
  for (const AskedGoal& asked : options.goals) goals_.push_back(asked.goal);
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
  on_threads(options_.threads, replications - replications_,
             [&](std::size_t i) { surplus_[replications_ + i] = controls_->surplus(replications_ + i); });
}

void Runner::run_points(const std::vector<Point>& points) {
  on_threads(options_.threads, points.size(), [&](std::size_t i) { run_point(points[i]); });
}

void Runner::run_point(const Point& point) {
  const RunPlace run{.strategy = strategies_[point.strategy], .replication = point.replication};
  const MeasureOptions asked{.by = options_.by,
                             .goal = options_.goal,
                             .goals = goals_,
                             .between = options_.between,
                             .terms = options_.terms};
  Measures measured = observe_run(world_, run, asked, options_.observers);
  const std::lock_guard lock{mutex_};
  results_[point.strategy].add(run, std::move(measured), options_.observers);
  ++done_;
  for (RunObserver* observer : options_.observers) observer->count(done_, total_);
}

}  // namespace stockout
