#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/orchestrators/orchestrator.h"
#include "models/orchestrators/slurm/slurm.h"
#include "models/record/run_record.h"

namespace stockout {

/// Actions of Slurm, for the record: how long each job waited for what before its first grant and
/// after it, as models/simulation/README.md, R18.13 has it, and who was preempted for whom. Time that passes
/// costs as much as there are partitions, and one look at who is first in each.
class SlurmRecord {
 public:
  /// A pending job. `put_off`: until then Slurm does not look at it.
  struct Arrival {
    std::uint64_t job = 0;  // JobView::number
    SimTime put_off{};
    bool is_hopeless = false;  // no partition could ever take it
    bool again = false;        // it was granted machines before
    bool is_queued = false;    // Slurm has it in its queue already
  };

  /// `begin`: when Slurm's clock showed 0.
  explicit SlurmRecord(SimTime begin) : begin_{begin} {}

  /// Time goes on to `now`, and nothing has changed since the last call.
  void pass(const slurm::Slurm& slurm, SimTime now);
  void begin(slurm::JobId id, const Arrival& arrival);
  /// It goes on waiting, but until `put_off` Slurm does not look at it.
  void put_off(const slurm::Slurm& slurm, slurm::JobId id, SimTime put_off);
  /// It waits no more, if it did.
  void end(const slurm::Slurm& slurm, slurm::JobId id);
  /// The job, which has gone on, is preempted for the job `to`.
  void gave_way(std::uint64_t job, std::uint64_t to, const Eviction& eviction) {
    gave_way_.push_back({.at = now_, .job = job, .to = to});
    ++evictions_[eviction];
  }
  /// Slurm ended it for good.
  void ended(std::uint64_t job, SlurmEnd end) { ends_[job] = end; }
  void write(const slurm::Slurm& slurm, RunRecord& record) const;

 private:
  struct Waiter {
    Arrival arrival;
    SimTime since{};
    SimDuration first{};  // so long it was the first in a partition
  };
  [[nodiscard]] WaitTimes times_of(const Waiter& waiter, const slurm::Job& job) const;

  SimTime begin_;
  std::unordered_map<slurm::JobId, Waiter> waiters_;
  std::unordered_map<std::uint64_t, PendingTimes> waited_;  // by those who wait no more, or did so before
  std::unordered_map<std::uint64_t, SlurmEnd> ends_;        // by job
  std::vector<GaveWay> gave_way_;
  Evictions evictions_;
  SimTime now_ = kStart;
};

}  // namespace stockout
