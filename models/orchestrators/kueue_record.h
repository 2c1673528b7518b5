#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/orchestrators/kueue_books.h"
#include "models/orchestrators/kueue_entries.h"
#include "models/orchestrators/kueue_waits.h"

namespace stockout {

/// Actions of Kueue, for the record: how long each job waited for what before its first grant, who was
/// evicted for whom, and what its queues gave. Jobs go by JobView::number.
class KueueRecord {
 public:
  explicit KueueRecord(const World& world) : books_{*world.kueue, world.classes} {}

  /// Time goes on to `now`, and nothing has changed since. `is_blocked`: Kueue let nobody in until pods are
  /// ready.
  void pass(bool is_blocked, SimTime now) { waits_.pass(books_, is_blocked, now); }
  /// The job is pending, of this workload. If it was so already, it now waits for what that lacks.
  void begin(const KueueMember& job, const kueue::Workload& workload, SimTime now);
  /// The same of all its jobs that are neither final nor have gone on.
  void begin(const KueueEntry& entry, const kueue::Workload& workload, SimTime now);
  /// It is pending no more.
  void end(std::uint64_t job) { waits_.end(job); }
  /// Its jobs that are not final have the quota that the workload has, if it still does.
  void hold(KueueEntry& entry, const kueue::Workload& own, SimTime now);
  /// A job has quota no more, if it had any, or none of them does.
  void give_back(KueueMember& job, SimTime now);
  void give_back(KueueEntry& entry, SimTime now);
  /// The job goes on with so many GPUs, fewer than it asked for; 0: with all of them.
  void reduced(std::uint64_t job, GpuCount gpus) { reduced_[job] = gpus; }
  /// A queue has admitted a job.
  void admitted(const std::string& queue) { ++admitted_[queue]; }
  /// Kueue evicts a workload that had quota: its jobs that have gone on have to stop, for the job `to` if
  /// there is one.
  void evicted(const KueueEntry& entry, const Eviction& eviction, std::optional<std::uint64_t> to,
               SimTime now);
  /// `is_blocked`: as of pass(), until the run's end.
  void write(RunRecord& record, bool is_blocked) const;

 private:
  KueueBooks books_;
  KueueWaits waits_;
  std::map<std::string, std::uint64_t> admitted_;             // by cluster queue
  std::unordered_map<std::uint64_t, std::uint32_t> evicted_;  // how often, by job
  std::unordered_map<std::uint64_t, GpuCount> reduced_;       // to what, by job that may be
  Evictions evictions_;
  std::vector<GaveWay> gave_way_;
};

}  // namespace stockout
