#pragma once

#include <cstdint>
#include <unordered_map>

#include "models/orchestrators/orchestrator.h"

namespace stockout {

/// How long each job waited for Kueue before its first grant, and which evictions there were. Jobs go by
/// JobView::number.
class KueueRecord {
 public:
  /// The job waits at the gate, unless it was granted before.
  void begin(const JobView& job, SimTime now) {
    if (!job.was_granted) outcomes_[job.number].since = now;
  }
  /// It waits there no more.
  void end(std::uint64_t job, SimTime now);
  /// Kueue evicts a job that had quota.
  void evicted(std::uint64_t job, const KueueEviction& eviction) {
    ++outcomes_[job].evictions;
    ++evictions_[eviction];
  }
  void write(RunRecord& record) const;

 private:
  struct Outcome {
    SimTime since = kNever;
    SimDuration waited{};
    std::uint32_t evictions = 0;
  };
  std::unordered_map<std::uint64_t, Outcome> outcomes_;
  KueueEvictions evictions_;
};

}  // namespace stockout
