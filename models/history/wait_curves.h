#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "models/measures/wait_goal.h"
#include "models/record/run_record.h"
#include "models/world/world.h"
#include "sim/core/time.h"
#include "sim/stats/interval.h"

namespace stockout {

/// How long the jobs of one strategy waited: shares of the jobs the goal is about, mean over the replications
/// that had any, with 95 % intervals. A job that never started is later than any wait.
struct WaitCurve {
  std::size_t strategy = 0;  // place in the world
  bool drew = false;         // false: every replication is the same, and one was run
  std::size_t replications = 0;
  double jobs = 0;                  // the denominator: jobs the goal is about, mean over replications
  std::vector<Estimate> started;    // by WaitCurves::waits: started within that wait
  std::vector<Estimate> completed;  // started within that wait, and completed, as goal_met_share has it
  Estimate never_started;
};

/// The curves of a comparison over one grid of waits. Of steps: between two waits of the grid a curve is
/// between its values there.
struct WaitCurves {
  std::vector<SimDuration> waits;   // rising, from 0; the last is the first that no started job exceeds
  std::optional<std::size_t> goal;  // which of the waits is the goal's limit
  std::vector<WaitCurve> curves;    // of the strategies that were run and had such jobs, as in the world
};

/// Waits to look at: 0; 5, 15, 30 min, 1, 2, 4, 8, 12 h, 1, 2, 7, 14, 28, 91, 182, 364 days; twelve a decade
/// from 1 min on (the E12 series of preferred numbers, IEC 60063); and the limit of `goal`. Rising, up to the
/// longest that a run of the world can have.
[[nodiscard]] std::vector<SimDuration> waits_to_look_at(const World& world,
                                                        const std::optional<WaitGoal>& goal);

/// Counts the waits of runs that come in any order, from any thread. What a replication counted is kept until
/// those before it are there, and no longer; the same bits for the same runs.
class WaitCurveBook {
 public:
  /// `world` must outlive the book. Without a goal all jobs are looked at.
  WaitCurveBook(const World& world, const std::optional<WaitGoal>& goal);

  /// Of each strategy every replication from 0 on is added once.
  void add(std::size_t strategy, std::uint64_t replication, const RunRecord& record);

  /// After all runs.
  [[nodiscard]] WaitCurves curves() const;

 private:
  /// Jobs of one run, by the first wait of the grid that they do not exceed.
  struct Counts {
    explicit Counts(std::size_t waits) : started(waits), completed(waits) {}
    std::vector<std::uint64_t> started;
    std::vector<std::uint64_t> completed;
    std::uint64_t jobs = 0;
    bool drew = false;
  };

  /// One strategy, of the replications so far.
  struct Sums {
    std::map<std::uint64_t, Counts> early;  // that wait for one before them
    std::uint64_t next = 0;                 // replication
    bool drew = false;
    std::size_t longest = 0;  // wait of the grid that any job came up to
    RunningEstimate jobs;
    std::vector<RunningEstimate> started;
    std::vector<RunningEstimate> completed;
    RunningEstimate never_started;
  };

  [[nodiscard]] Counts count(std::uint64_t replication, const RunRecord& record) const;
  void sum_up(Sums& sums, const Counts& counts) const;
  [[nodiscard]] WaitCurve curve_of(std::size_t strategy, const Sums& sums, std::size_t waits) const;

  const World& world_;
  std::optional<WaitGoal> goal_;
  std::vector<SimDuration> waits_;
  mutable std::mutex mutex_;  // of sums_
  std::vector<Sums> sums_;    // by strategy of the world
};

}  // namespace stockout
