#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/recommend/selection.h"
#include "models/sweep/sweep_file.h"

namespace stockout {

/// A strategy of the scenario of a point: something that can be bought.
struct PurchaseCandidate {
  std::size_t point = 0;     // of the sweep
  std::size_t strategy = 0;  // of its scenario's world
};

/// A point whose scenario is refused, and why.
struct RefusedPoint {
  std::size_t point = 0;
  std::string why;
};

/// The scenarios of all points of a sweep, kept to be run again and again. The points are what could be
/// bought; all have one goal, one seed and the same strategies.
class PointRuns {
 public:
  /// Builds every scenario. Throws InputError if none is accepted, or if they ask for different goals.
  PointRuns(const Sweep& sweep, const Catalog& catalog, ScenarioCache& cache);

  [[nodiscard]] const std::vector<PurchaseCandidate>& candidates() const { return candidates_; }
  [[nodiscard]] const std::vector<RefusedPoint>& refused() const { return refused_; }
  [[nodiscard]] const Scenario& scenario(const PurchaseCandidate& of) const { return *scenarios_[of.point]; }
  /// What is asked: the first accepted point's.
  [[nodiscard]] const std::optional<WaitGoal>& goal() const;

  /// Runs candidates `who`, places in candidates(), on `threads` (0: as many as the machine has). Cost, the
  /// share that met the goal (1 if there is no goal) and the share of work done, in this order. One that
  /// draws nothing is run once. The same whatever the threads. Throws what a run throws.
  [[nodiscard]] std::vector<std::vector<Observation>> observe(std::span<const std::size_t> who,
                                                              std::size_t from, std::size_t to, int threads);

  /// Runs that were simulated.
  [[nodiscard]] std::size_t simulated() const { return simulated_; }

 private:
  struct Run {
    Observation seen;
    bool drew = true;
  };

  [[nodiscard]] Run run(const PurchaseCandidate& candidate, std::size_t replication) const;
  void run_all(std::span<const std::size_t> who, std::size_t from, std::size_t to, int threads);
  [[nodiscard]] bool needs(std::size_t who, std::size_t replication) const;

  std::vector<std::optional<Scenario>> scenarios_;  // by point; none: refused
  std::vector<PurchaseCandidate> candidates_;
  std::vector<RefusedPoint> refused_;
  std::vector<std::vector<Run>> runs_;  // by candidate and replication
  std::size_t simulated_ = 0;
};

/// The cheapest candidate that meets the goal and does the same work: as much as the goal's `same_work` asks
/// of the share that the most complete candidate does on average until the first look.
struct PurchaseRules {
  double indifference = 0;        // USD
  double goal_tolerance = 0.01;   // of the share that meets the goal
  double work_tolerance = 0.005;  // of the share of work done
  double error = 0.05;
  std::size_t most = 1'000;
  int threads = 0;
};

/// Places of goals in CandidateStanding::by.
enum PurchaseGoal : std::size_t { kWaitGoal, kSameWorkGoal };

[[nodiscard]] Selection select_purchase(PointRuns& runs, const PurchaseRules& rules);

}  // namespace stockout
