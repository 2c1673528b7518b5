#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/experiment/comparison.h"

namespace stockout {

/// Sums up the replications of one strategy in their order, whatever the order in which they are done.
class InOrder {
 public:
  /// `surplus`: what the controls of each replication are more than expected, there before the replication
  /// is added; nullptr: no controls. It outlives this.
  InOrder(std::string name, const std::vector<Surplus>* surplus)
      : reduction_{std::move(name)}, surplus_{surplus} {}

  /// The run that is summed up next, and those that waited for it, are shown to the observers first.
  void add(const RunPlace& run, Measures measures, RunObservers observers);

  /// Whether there was anything random in the first replication.
  [[nodiscard]] bool first_drew() const { return first_drew_; }

  /// Of all replications so far.
  [[nodiscard]] Summaries total() const { return reduction_.total(); }

  /// `classes`: those of the world.
  [[nodiscard]] StrategyResult finish(const std::vector<JobClass>& classes);

 private:
  StrategyReduction reduction_;
  const std::vector<Surplus>* surplus_;
  std::map<std::uint64_t, Measures> waiting_;  // for one before them
  std::uint64_t added_ = 0;
  bool first_drew_ = false;
};

/// Runs the replications of a comparison on threads, a round at a time.
class Runner {
 public:
  /// `world` and `options` must outlive this; `strategies`: places in the world.
  Runner(const World& world, const CompareOptions& options, std::vector<std::size_t> strategies);
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Runs every strategy up to so many replications; after the first one, only those that draw.
  void run_until(std::size_t replications);

  /// Whether any strategy drew in its first replication.
  [[nodiscard]] bool draws() const;

  /// How exactly the strategies that draw are known.
  [[nodiscard]] std::vector<KnownTo> known_to(const Precision& asked) const;

  [[nodiscard]] ControlsUsed controls() const;

  /// Of each strategy, after the last round.
  [[nodiscard]] std::vector<StrategyResult> finish();

 private:
  /// One simulation to be run, and where its measures go.
  struct Point {
    std::size_t strategy = 0;  // place among the compared
    std::size_t replication = 0;
  };

  void draw_controls(std::size_t replications);
  void run_points(const std::vector<Point>& points);
  void run_point(const Point& point);

  const World& world_;
  const CompareOptions& options_;
  std::vector<std::size_t> strategies_;
  std::vector<Goal> goals_;                 // of the options
  std::optional<DemandControls> controls_;  // if they are asked for and there are any
  std::vector<Surplus> surplus_;            // by replication
  std::vector<InOrder> results_;
  std::size_t replications_ = 0;  // run so far
  std::size_t done_ = 0;          // runs
  std::size_t total_ = 0;         // runs that are known to be needed
  std::mutex mutex_;              // of results_, done_ and what observers are told one at a time
};

}  // namespace stockout
