#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/ledger.h"
#include "models/orchestrators/kueue/local_queue_usage.h"
#include "models/orchestrators/kueue/object_store.h"
#include "models/orchestrators/kueue/preemption.h"
#include "models/orchestrators/kueue/queue_manager.h"
#include "models/orchestrators/kueue/settings.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

/// The state of a cluster: its objects, who holds quota, who waits where, and the time. Each workload is in
/// one place at most: in a queue, in the ledger, or among the heads of a cycle.
struct Cluster {
  Cluster(Configuration configuration, Settings its_settings);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  [[nodiscard]] const QuotaTree& tree() const { return ledger.tree(); }
  /// Those that a workload with quota needs: none if its queue is not there.
  [[nodiscard]] std::vector<std::string> required_checks_of(const Workload& workload) const;
  [[nodiscard]] Scene scene();

  /// Objects have changed: quota, queues and who may admit follow. Workloads stay where they are.
  void reconfigure();
  /// Time goes on, to `to` unless that is past.
  void pass_time(SimTime to);

  /// A workload that may wait does so in the queue that is its own.
  void enqueue(Workload& workload);
  /// A workload is as it is since its user has changed it; in its queue it goes on waiting for its victims.
  void enqueue_changed(const Workload& before, Workload& workload);
  /// It waits no more.
  void dequeue(const Workload& workload) { queues.remove(workload); }
  /// It takes the quota of its admission.
  void hold(const Workload& workload);
  /// It gives back all its quota, if it has any.
  void release(Workload& workload);
  /// Others may have its quota, although its job has not stopped.
  void stop_holding(const Workload& workload);
  /// The workload holds less than before.
  void recount(const Workload& workload);
  /// Others below the same root may now fit.
  void quota_changed(const std::string& queue) { queues.quota_changed(tree().root_name(queue)); }
  /// Whoever looks for a flavor below the same root starts anew.
  void holders_changed(const std::string& queue) { queues.holders_changed(tree().root_name(queue)); }

  const Settings settings;
  ObjectStore objects;
  Ledger ledger;
  std::optional<LocalQueueUsages> usages;  // with admission fair sharing
  QueueManager queues;
  SimTime now = kStart;

 private:
  void rebuild();
};

}  // namespace stockout::kueue
