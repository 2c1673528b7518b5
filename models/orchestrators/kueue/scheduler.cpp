#include "models/orchestrators/kueue/scheduler.h"

#include <utility>

#include "models/orchestrators/kueue/ordering.h"

namespace stockout::kueue {

CycleReport Scheduler::cycle() {
  CycleReport report;
  if (!is_blocked()) blocked_.reset();
  if (blocked_ && !admit_blocked()) return report;
  std::vector<Head> heads = cluster_.queues.pop_heads(cluster_.objects, cluster_.tree());
  report.heads = heads.size();
  if (heads.empty()) return report;
  report.entries = run_cycle(
      cluster_.scene(),
      {.heads = std::move(heads), .number = ++cycles_, .all_pods_ready = workloads_.are_all_pods_ready()});
  for (const Entry& entry : report.entries) {
    if (carry_out(entry)) report.has_progress = true;
  }
  return report;
}

// Not if the one that waits has moved on: it ended, or is in a queue again.
bool Scheduler::is_blocked() const {
  if (!blocked_) return false;
  const Workload& own = *blocked_->head.workload;
  const bool waits =
      own.spec.active && !own.status.finished && !own.has_quota() && !own.cluster_queue.empty();
  return waits && !cluster_.queues.holds(own);
}

// Who was next when admission was blocked is admitted first. False if it still is blocked.
bool Scheduler::admit_blocked() {
  if (!workloads_.are_all_pods_ready()) return false;
  Entry entry = std::move(*blocked_);
  blocked_.reset();
  const Workload& own = *entry.head.workload;
  if (cluster_.objects.is_active(own.cluster_queue)) {
    workloads_.reserve(own.id, entry.assignment.admission(own.cluster_queue));
  } else {
    entry.requeue = RequeueReason::failed_after_nomination;
    workloads_.requeue(entry);
  }
  return true;
}

// True if anything changed for anybody.
bool Scheduler::carry_out(const Entry& entry) {
  const Workload& own = *entry.head.workload;
  if (entry.decision == Decision::admitted) {
    workloads_.reserve(own.id, entry.assignment.admission(own.cluster_queue));
    return true;
  }
  workloads_.set_pending_reason(own.id, entry.pending_reason);
  if (entry.decision == Decision::blocked) {
    blocked_ = entry;
    return true;
  }
  bool changed = false;
  if (entry.decision == Decision::preempting) {
    for (const Victim& victim : entry.victims) {
      changed = changed || !workloads_.get(victim.workload).status.evicted.status;
      workloads_.evict(victim.workload,
                       {.reason = kPreempted, .preemption_reason = victim.reason, .preemptor = own.id});
    }
  }
  return workloads_.requeue(entry) || changed;
}

// A head may come back with the next flavor to try, so that some cycles without effect are no end. There are
// fewer of these than flavors in a queue.
void Scheduler::settle() {
  for (std::size_t quiet = 0; quiet <= cluster_.objects.most_flavors() + 1;) {
    const std::size_t events = workloads_.events().size();
    const CycleReport report = cycle();
    if (report.has_progress || workloads_.events().size() > events) {
      quiet = 0;
    } else if (cluster_.queues.must_flush()) {
      cluster_.queues.flush(cluster_.tree(), cluster_.now);
      quiet = 0;
    } else if (report.heads == 0) {
      return;
    } else {
      ++quiet;
    }
  }
}

}  // namespace stockout::kueue
