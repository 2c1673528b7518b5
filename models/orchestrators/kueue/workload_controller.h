#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/orchestrators/kueue/alarms.h"
#include "models/orchestrators/kueue/cluster.h"
#include "models/orchestrators/kueue/eviction.h"
#include "models/orchestrators/kueue/pods_ready.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

/// The life of each workload: what its user, its pods, its checks and time do to it. What the scheduler
/// decides about it is carried out here too.
class WorkloadController {
 public:
  explicit WorkloadController(Cluster& cluster) : cluster_{cluster} {}

  [[nodiscard]] const Workload& get(WorkloadId id) const { return *all_[static_cast<std::size_t>(id)]; }
  /// In the order in which they happened, since the start or since they were last taken.
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] std::vector<Event> take_events() { return std::exchange(events_, {}); }
  [[nodiscard]] bool are_all_pods_ready() const { return pods_ready_.are_all_ready(); }

  // --- what its user, its job and its checks do ---
  WorkloadId submit(Workload workload);
  void update(WorkloadId id, WorkloadSpec spec);
  void finish(WorkloadId id);
  void deactivate(WorkloadId id);
  void finish_eviction(WorkloadId id);
  void set_check(WorkloadId id, const Check& check);
  void set_pods_ready(WorkloadId id, Condition ready);
  void set_reclaimable(WorkloadId id, std::map<std::string, std::int64_t> pods);

  // --- what objects and time do ---
  /// After queues have changed: those that wait do so in the queue that is now their own, those of queues
  /// that are to be emptied are evicted, and who holds quota has the checks that its queue now asks for. Who
  /// is not admitted yet loses its quota if one of its queues is stopped or gone.
  void refit();
  void advance(SimTime at);
  [[nodiscard]] std::optional<SimTime> next_due() const;

  // --- what the scheduler decides ---
  void reserve(WorkloadId id, Admission admission);
  void evict(WorkloadId id, const Eviction& eviction);
  /// A head goes back to its queue. True if it is parked then.
  bool requeue(const Entry& entry);
  /// Why a head is still pending.
  void set_pending_reason(WorkloadId id, const std::string& reason) { at(id).status.pending_reason = reason; }

 private:
  [[nodiscard]] Workload& at(WorkloadId id) { return *all_[static_cast<std::size_t>(id)]; }
  void sync_checks(Workload& workload);
  void take_back(Workload& workload);
  void wait_anew(Workload& workload);
  void time_out(Workload& workload);
  void watch(const Workload& workload);

  Cluster& cluster_;
  std::vector<std::unique_ptr<Workload>> all_;  // by number
  PodsReadyWatch pods_ready_;
  Alarms alarms_;
  std::vector<Event> events_;
};

}  // namespace stockout::kueue
