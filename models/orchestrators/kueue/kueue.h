#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/orchestrators/kueue/cluster.h"
#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/eviction.h"
#include "models/orchestrators/kueue/scheduler.h"
#include "models/orchestrators/kueue/settings.h"
#include "models/orchestrators/kueue/workload.h"
#include "models/orchestrators/kueue/workload_controller.h"

namespace stockout::kueue {

/// Kueue of one cluster: queues, workloads and what happens to them. Nothing moves by itself. A user of this
/// class says what happened (a workload came, its job stopped, time went on), lets the scheduler settle(),
/// and takes the events: whose job may start, whose must stop, who is tried again and when.
///
/// An evicted workload holds its quota until finish_eviction() says that its job has stopped, unless it is
/// given up. The numbers of workloads are never given twice.
class Kueue {
 public:
  Kueue(Configuration configuration, Settings settings);

  // --- objects; each change wakes parked workloads ---
  [[nodiscard]] const ObjectStore& objects() const { return cluster_.objects; }
  void apply(Object object);
  void remove(ObjectKind kind, const std::string& name);

  // --- workloads ---
  /// A workload comes, with quota if it has an admission. Its number is given here.
  WorkloadId submit(Workload workload);
  /// Its user asks for something else; what became of it is kept.
  void update(WorkloadId id, WorkloadSpec spec);
  /// It has ended, or was deleted: quota is free.
  void finish(WorkloadId id);
  /// It is evicted, and not tried again until an update makes it active. Its quota is free at once.
  void deactivate(WorkloadId id);
  /// Its job has stopped: quota is free, and it waits again unless it is deactivated.
  void finish_eviction(WorkloadId id);
  void set_check(WorkloadId id, const Check& check);
  void set_pods_ready(WorkloadId id, Condition ready) { workloads_.set_pods_ready(id, std::move(ready)); }
  /// Pods of each pod set that are done, in all: their quota is free.
  void set_reclaimable(WorkloadId id, std::map<std::string, std::int64_t> pods) {
    workloads_.set_reclaimable(id, std::move(pods));
  }
  [[nodiscard]] const Workload& workload(WorkloadId id) const { return workloads_.get(id); }

  // --- time and scheduling ---
  [[nodiscard]] SimTime now() const { return cluster_.now; }
  /// To `at`, with all that falls due on the way; nothing is scheduled.
  void advance(SimTime at);
  /// When something falls due by itself: a time-out, the end of a delay, a sample of usage.
  [[nodiscard]] std::optional<SimTime> next_due() const { return workloads_.next_due(); }
  CycleReport cycle() { return scheduler_.cycle(); }
  /// Cycles and flushes until nothing changes.
  void settle() { scheduler_.settle(); }
  /// Parked workloads become active where quota has changed since the last flush. How many.
  int flush() { return cluster_.queues.flush(cluster_.tree(), cluster_.now); }

  // --- outcome ---
  /// Whether nobody is let in until pods of others are ready.
  [[nodiscard]] bool waits_for_pods() const { return scheduler_.is_blocked(); }
  /// In the order in which it happened, since the start or since they were last taken.
  [[nodiscard]] const std::vector<Event>& events() const { return workloads_.events(); }
  [[nodiscard]] std::vector<Event> take_events() { return workloads_.take_events(); }
  /// Who holds how much.
  [[nodiscard]] const Ledger& ledger() const { return cluster_.ledger; }
  /// Who waits in a cluster queue; nothing if there is no such queue.
  [[nodiscard]] const PendingQueue* pending(const std::string& queue) const {
    return cluster_.queues.find(queue);
  }

 private:
  void reconfigure();
  void drop_unused_queues();

  Cluster cluster_;
  WorkloadController workloads_{cluster_};
  Scheduler scheduler_{cluster_, workloads_};
};

}  // namespace stockout::kueue
