#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/cycle.h"
#include "models/orchestrators/kueue/object_store.h"
#include "models/orchestrators/kueue/pending_queue.h"

namespace stockout::kueue {

/// Who waits in which queue, and where quota has changed since parked workloads were last flushed.
class QueueManager {
 public:
  explicit QueueManager(const Settings& settings) : settings_{settings} {}

  /// A queue for each cluster queue. Workloads stay where they are.
  void rebuild(const Configuration& configuration, const LocalQueueUsages* usages, SimTime now);

  /// Nothing if there is no such queue.
  [[nodiscard]] const PendingQueue* find(const std::string& queue) const;
  [[nodiscard]] PendingQueue* find(const std::string& queue);
  /// Whether the workload waits in its cluster queue, active or parked.
  [[nodiscard]] bool holds(const Workload& workload) const;
  void remove(const Workload& workload);

  /// The first of each queue that may admit, by name of the queue. They are in no queue then.
  [[nodiscard]] std::vector<Head> pop_heads(const ObjectStore& objects, const CohortForest& forest);

  /// Quota below that root has changed: parked workloads may fit.
  void quota_changed(const std::string& root);
  /// Somebody below that root took quota, or is to give it back: nobody fits for that, but a search for
  /// flavors that is older is out of date.
  void holders_changed(const std::string& root) { generations_[root] = ++changes_; }
  void all_quota_changed();
  [[nodiscard]] bool must_flush() const { return flush_all_ || !to_flush_.empty(); }
  /// Parked workloads become active where quota has changed since the last flush. How many.
  int flush(const CohortForest& forest, SimTime now);

 private:
  [[nodiscard]] std::int64_t generation(const std::string& root) const;

  const Settings& settings_;
  std::map<std::string, PendingQueue> queues_;
  std::int64_t changes_ = 0;                         // of quota and of who holds it
  std::map<std::string, std::int64_t> generations_;  // by root: the last change below it alone
  std::int64_t generation_of_all_ = 0;               // the last change of all
  std::set<std::string> to_flush_;                   // roots
  bool flush_all_ = false;
};

}  // namespace stockout::kueue
