#pragma once

#include <cstdint>

#include "models/orchestrators/slurm/cluster.h"
#include "models/orchestrators/slurm/fair_tree.h"
#include "models/orchestrators/slurm/priority.h"

namespace stockout::slurm {

/// Priorities of the queue and usage of users, brought up to date each PriorityCalcPeriod since the start.
class PriorityBooks {
 public:
  explicit PriorityBooks(Cluster& cluster);

  /// Of a job that comes into the queue: what it would have if it had been there at the last update.
  [[nodiscard]] std::uint32_t of(const Job& job, PartitionIndex partition) const;
  /// When they are next brought up to date; kNever if that would change nothing.
  [[nodiscard]] SimTime next() const;
  /// Brings them up to date if that is due.
  void update();
  /// The job, which has run, gives its nodes back now: its user is charged for the time since the last
  /// update, where Slurm does that.
  void charge(JobId id);

 private:
  [[nodiscard]] bool has_work() const;
  // When they were last due.
  [[nodiscard]] SimTime last_due() const;
  // The part of usage that is left after so many seconds.
  [[nodiscard]] double kept_after(double seconds) const;
  void charge_until(SimTime end, JobId id);

  Cluster& cluster_;
  FairTree shares_;
  PriorityCalculator calculator_;
  SimTime last_{};         // update
  bool is_stale_ = false;  // somebody has been charged since
};

}  // namespace stockout::slurm
