#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/cycle.h"
#include "models/orchestrators/kueue/ledger.h"
#include "models/orchestrators/kueue/local_queue_usage.h"
#include "models/orchestrators/kueue/pending_queue.h"
#include "models/orchestrators/kueue/settings.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

/// Something that happened to a workload.
struct Event {
  enum class Kind : std::uint8_t { reserved, admitted, evicted };
  Kind kind{};
  WorkloadId workload{};
  std::string queue;                   // that holds, or held, its quota
  std::string reason = {};             // of an eviction
  std::string preemption_reason = {};  // of an eviction for another workload
  std::optional<WorkloadId> preemptor = std::nullopt;
  SimTime at;
};

/// What one scheduling cycle came to.
struct CycleReport {
  std::size_t heads = 0;
  bool has_progress = false;  // somebody was admitted, evicted or parked
  std::vector<Entry> entries = {};
};

/// Kueue of one cluster: queues, workloads and what happens to them. Nothing moves by itself: workloads come
/// and end, time advances, settle() lets the scheduler work until nothing changes any more.
///
/// An evicted workload holds its quota until finish_eviction() says that its job has stopped. The numbers of
/// workloads are never given twice.
class Kueue {
 public:
  Kueue(Configuration configuration, Settings settings,
        std::optional<std::set<std::string>> checks = std::nullopt);
  Kueue(const Kueue&) = delete;
  Kueue& operator=(const Kueue&) = delete;

  [[nodiscard]] const Configuration& configuration() const { return configuration_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const QuotaTree& tree() const { return ledger_.tree(); }
  [[nodiscard]] SimTime now() const { return now_; }

  // --- configuration; each change wakes parked workloads ---
  void set_flavor(ResourceFlavor flavor);
  /// Goes when no cluster queue names it any more.
  void remove_flavor(const std::string& name);
  /// An admission check that queues name is there now.
  void add_check(const std::string& name);
  void set_cohort(Cohort cohort);
  void remove_cohort(const std::string& name);
  void set_cluster_queue(ClusterQueue queue);
  /// Goes when nobody holds quota in it any more; until then it admits nobody.
  void remove_cluster_queue(const std::string& name);
  void set_local_queue(LocalQueue queue);
  void remove_local_queue(const std::string& name);
  /// Whether it may admit: it is not stopped, and its flavors and checks exist.
  [[nodiscard]] bool is_active(const std::string& cluster_queue) const {
    return active_queues_.contains(cluster_queue);
  }

  // --- workloads ---
  /// A workload comes, with quota if it has an admission. Its number is given here.
  WorkloadId submit(Workload workload);
  /// Another priority, other pod sets or active again; what became of it is kept.
  void update(WorkloadId id, const Workload& changed);
  void finish(WorkloadId id);
  void remove(WorkloadId id);
  /// Its job has stopped: quota is free, and it waits again unless it is deactivated.
  void finish_eviction(WorkloadId id);
  void evict(WorkloadId id, const std::string& reason);
  void set_check(WorkloadId id, const Check& check);
  void set_pods_ready(WorkloadId id, Condition ready);
  /// Pods of each pod set that are done, in all: their quota is free.
  void set_reclaimable(WorkloadId id, std::map<std::string, std::int64_t> pods);
  /// Usage of a local queue before the start.
  void set_local_queue_usage(const std::string& local_queue, std::map<std::string, double> consumed);

  [[nodiscard]] const Workload& workload(WorkloadId id) const {
    return *workloads_[static_cast<std::size_t>(id)];
  }
  /// Those that hold quota in a queue, by number.
  [[nodiscard]] const std::set<WorkloadId>& held_in(const std::string& queue) const {
    return ledger_.held_in(queue);
  }
  /// Nothing if there is no such queue.
  [[nodiscard]] const PendingQueue* pending(const std::string& queue) const;
  [[nodiscard]] const std::string& pending_reason(WorkloadId id) const;
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  /// Where the workload would wait: nothing if its local queue or cluster queue is not there, or stopped.
  [[nodiscard]] std::optional<std::string> queue_of(const Workload& workload) const;

  // --- time and scheduling ---
  /// To `at`, with all that falls due on the way; nothing is scheduled.
  void advance(SimTime at);
  /// When something falls due by itself: a time-out, the end of a delay, a sample of usage.
  [[nodiscard]] std::optional<SimTime> next_due() const;
  CycleReport cycle();
  /// Cycles and flushes until nothing changes.
  void settle();
  /// Parked workloads become active where quota has changed since the last flush. How many.
  int flush();

 private:
  [[nodiscard]] Workload& at(WorkloadId id) { return *workloads_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] Scene scene() { return {ledger_, configuration_, settings_, usages_ ? &*usages_ : nullptr}; }

  void reconfigure();
  [[nodiscard]] bool may_admit(const ClusterQueue& queue) const;
  void drop_leaving_flavors();
  void drain();
  void fit_queues();
  [[nodiscard]] PendingQueue::UsageOf usage_rule(const ClusterQueue& queue) const;
  void enqueue(Workload& workload);
  void dequeue(const Workload& workload);
  void free_quota(Workload& workload);
  void quota_changed(const std::string& queue);
  [[nodiscard]] std::int64_t generation(const std::string& queue) const;

  void evict_for(WorkloadId id, const std::string& reason, const Victim* victim,
                 std::optional<WorkloadId> preemptor);
  void deactivate(Workload& workload);
  void sync_admitted(Workload& workload);
  void act_on_checks(Workload& workload);

  [[nodiscard]] std::vector<Head> pop_heads();
  bool carry_out(Entry& entry);
  void reserve(Workload& workload, Admission admission);
  bool go_back(const Entry& entry);
  bool release_blocked();
  [[nodiscard]] bool are_all_pods_ready() const { return unready_.empty(); }

  void remind(SimTime at, WorkloadId id) { reminders_.emplace(at, id); }
  void remember(WorkloadId id);
  void time_out(Workload& workload);
  void sample(SimTime from, SimTime to);

  Configuration configuration_;
  Settings settings_;
  std::optional<std::set<std::string>> checks_;  // that exist; nothing: all that are named
  std::set<std::string> leaving_;                // cluster queues that go when they are empty
  std::set<std::string> leaving_flavors_;        // flavors that go when no queue names them
  std::set<std::string> active_queues_;
  std::size_t most_flavors_ = 0;  // of one cluster queue
  Ledger ledger_;
  std::optional<LocalQueueUsages> usages_;
  std::map<std::string, PendingQueue> queues_;
  std::vector<std::unique_ptr<Workload>> workloads_;
  std::map<WorkloadId, std::string> reasons_;  // why pending
  std::set<WorkloadId> unready_;               // admitted, without ready pods
  std::set<std::pair<SimTime, WorkloadId>> reminders_;
  std::optional<Entry> blocked_;
  std::map<std::string, std::int64_t> generations_;  // by root of the tree
  std::int64_t changes_ = 0;
  std::int64_t cycles_ = 0;
  std::set<std::string> to_flush_;  // roots of trees
  bool flush_all_ = false;
  SimTime now_ = kStart;
  std::vector<Event> events_;
};

}  // namespace stockout::kueue
