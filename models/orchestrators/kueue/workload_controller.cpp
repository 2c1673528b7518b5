#include "models/orchestrators/kueue/workload_controller.h"

#include <algorithm>
#include <utility>

#include "models/orchestrators/kueue/admission_checks.h"
#include "models/orchestrators/kueue/ordering.h"

namespace stockout::kueue {
namespace {

// What pods that are done no longer use. `left` counts the others of the whole workload, of which fewer may
// have been admitted.
void scale_down(Admission& admission, const std::map<std::string, std::int64_t>& left) {
  for (PodSetAdmission& pod_set : admission.pod_sets) {
    const auto still = left.find(pod_set.pod_set);
    if (still == left.end() || still->second >= pod_set.count) continue;
    for (auto& [resource, amount] : pod_set.usage) {
      amount = Amount{amount.count() / pod_set.count} * still->second;
    }
    pod_set.count = still->second;
  }
}

std::map<std::string, std::int64_t> pods_left(const Workload& workload, const Gates& gates) {
  const std::vector<std::int64_t> counts = pod_counts(workload, gates);
  std::map<std::string, std::int64_t> left;
  for (std::size_t i = 0; i < counts.size(); ++i) left[workload.spec.pod_sets[i].name] = counts[i];
  return left;
}

std::optional<SimTime> earlier(const std::optional<SimTime>& a, const std::optional<SimTime>& b) {
  if (a && b) return std::min(*a, *b);
  return a ? a : b;
}

// When time does something to the workload: its back-off ends, its pods are late, or it has run for too long.
std::optional<SimTime> due_time(const Workload& workload, const std::optional<WaitForPodsReady>& rule,
                                SimTime now) {
  if (workload.status.finished) return std::nullopt;
  std::optional<SimTime> due;
  if (workload.status.requeue) due = workload.status.requeue->at;
  if (!workload.has_quota() || workload.status.evicted.status) return due;
  due = earlier(due, execution_end(workload));
  const auto wait = pods_ready_wait(workload, rule, now);
  return wait ? earlier(due, later(now, wait->left)) : due;
}

}  // namespace

WorkloadId WorkloadController::submit(Workload workload) {
  workload.id = WorkloadId{static_cast<std::uint32_t>(all_.size())};
  all_.push_back(std::make_unique<Workload>(std::move(workload)));
  Workload& own = *all_.back();
  if (own.uses_quota()) {
    cluster_.hold(own);
  } else {
    cluster_.enqueue(own);
  }
  watch(own);
  return own.id;
}

void WorkloadController::update(WorkloadId id, WorkloadSpec spec) {
  Workload& own = at(id);
  const Workload before = own;
  if (spec.active && !own.spec.active) own.status.requeue.reset();
  const bool is_stopped = own.spec.active && !spec.active;
  own.spec = std::move(spec);
  cluster_.enqueue_changed(before, own);
  if (own.uses_quota() && !cluster_.ledger.holds(id))
    cluster_.hold(own);  // it was given up, and has not stopped
  if (is_stopped) deactivate(id);
  if (const auto queue = cluster_.objects.queue_of(own)) {
    cluster_.quota_changed(*queue);  // it may now evict, or be evicted
  }
  watch(own);
}

// The number stays, so that events keep their meaning.
void WorkloadController::finish(WorkloadId id) {
  Workload& own = at(id);
  own.status.finished = true;
  cluster_.dequeue(own);
  cluster_.release(own);
  watch(own);
}

void WorkloadController::deactivate(WorkloadId id) {
  Workload& own = at(id);
  own.spec.active = false;
  own.status.requeue.reset();
  cluster_.dequeue(own);
  cluster_.stop_holding(own);
  evict(id, {.reason = kDeactivated});
  events_.push_back(
      {.kind = Event::Kind::deactivated, .workload = id, .queue = own.cluster_queue, .at = cluster_.now});
  watch(own);
}

void WorkloadController::evict(WorkloadId id, const Eviction& eviction) {
  Workload& own = at(id);
  if (!begin_eviction(own, eviction, cluster_.now)) return;
  cluster_.holders_changed(own.status.admission->cluster_queue);
  events_.push_back({.kind = Event::Kind::evicted,
                     .workload = id,
                     .queue = own.status.admission->cluster_queue,
                     .reason = eviction.reason,
                     .preemption_reason = eviction.preemption_reason,
                     .preemptor = eviction.preemptor,
                     .at = cluster_.now});
  watch(own);
}

void WorkloadController::finish_eviction(WorkloadId id) {
  Workload& own = at(id);
  if (!own.status.evicted.status || !own.has_quota()) return;
  if (own.status.admitted && own.spec.active) own.status.executed += cluster_.now - *own.status.admitted;
  cluster_.release(own);
  own.status.pods_ready.reset();
  own.search.reset();
  wait_anew(own);
}

void WorkloadController::wait_anew(Workload& workload) {
  cluster_.dequeue(workload);
  cluster_.enqueue(workload);
  if (cluster_.queues.holds(workload)) {
    const auto& requeue = workload.status.requeue;
    events_.push_back({.kind = Event::Kind::requeued,
                       .workload = workload.id,
                       .queue = workload.cluster_queue,
                       .until = requeue ? requeue->at : std::nullopt,
                       .at = cluster_.now});
  }
  watch(workload);
}

void WorkloadController::reserve(WorkloadId id, Admission admission) {
  Workload& own = at(id);
  cluster_.dequeue(own);
  own.status.pending_reason.clear();
  own.status.admission = std::move(admission);
  own.status.reserved = cluster_.now;
  own.status.evicted.status = false;
  own.status.preempted.status = false;
  own.search.reset();
  cluster_.hold(own);
  watch(own);
  if (cluster_.usages && cluster_.usages->usage_for(own)) cluster_.usages->admitted(own);
  const std::string& queue = own.status.admission->cluster_queue;
  events_.push_back({.kind = Event::Kind::reserved, .workload = id, .queue = queue, .at = cluster_.now});
  sync_checks(own);
}

// Its reservation is over at once: no job of it runs.
void WorkloadController::take_back(Workload& workload) {
  const std::string queue = workload.status.admission->cluster_queue;
  cluster_.release(workload);
  workload.search.reset();
  events_.push_back(
      {.kind = Event::Kind::taken_back, .workload = workload.id, .queue = queue, .at = cluster_.now});
  wait_anew(workload);
}

// Who holds quota has the checks that its queue asks for now, and is admitted once they are ready.
void WorkloadController::sync_checks(Workload& workload) {
  WorkloadStatus& status = workload.status;
  if (!workload.has_quota() || !cluster_.tree().queue(status.admission->cluster_queue)) return;
  const std::vector<std::string> required = cluster_.required_checks_of(workload);
  keep_checks(workload, required, cluster_.now);
  if (status.admitted || status.evicted.status || !are_ready(workload, required)) return;
  status.admitted = cluster_.now;
  events_.push_back({.kind = Event::Kind::admitted,
                     .workload = workload.id,
                     .queue = status.admission->cluster_queue,
                     .at = cluster_.now});
  watch(workload);
}

bool WorkloadController::requeue(const Entry& entry) {
  Workload& own = at(entry.head.workload->id);
  PendingQueue* queue = cluster_.queues.find(own.cluster_queue);
  if (queue == nullptr) return false;
  if (entry.decision != Decision::not_nominated || entry.requeue != RequeueReason::generic) {
    own.search = entry.keeps_search ? std::optional{entry.assignment.search} : std::nullopt;
  }
  queue->requeue(own, entry.requeue, cluster_.now);
  return queue->is_parked(own.id);
}

void WorkloadController::set_check(WorkloadId id, const Check& check) {
  Workload& workload = at(id);
  change_check(workload, check, cluster_.now);
  if (has_check(workload, CheckState::rejected)) {
    if (workload.has_quota() && !workload.status.evicted.status) deactivate(workload.id);
  } else if (has_check(workload, CheckState::retry)) {
    const auto until = retry_time(workload.status.checks);
    evict(workload.id, {.reason = kAdmissionCheck});
    const bool is_put_off = until && *until > cluster_.now && put_off(workload, *until, false);
    if (is_put_off && !workload.has_quota()) wait_anew(workload);
    watch(workload);
  } else {
    sync_checks(workload);
  }
}

void WorkloadController::set_pods_ready(WorkloadId id, Condition ready) {
  ready.at = cluster_.now;
  at(id).status.pods_ready = std::move(ready);
  watch(at(id));
}

void WorkloadController::set_reclaimable(WorkloadId id, std::map<std::string, std::int64_t> pods) {
  Workload& own = at(id);
  const Workload before = own;
  own.status.reclaimable = std::move(pods);
  if (!cluster_.settings.gates.has(Gate::reclaimable_pods)) return;
  if (own.has_quota()) {
    scale_down(*own.status.admission, pods_left(own, cluster_.settings.gates));
    if (cluster_.ledger.holds(id)) cluster_.recount(own);
  } else {
    cluster_.enqueue_changed(before, own);
  }
}

void WorkloadController::refit() {
  for (const auto& own : all_) {
    if (own->has_quota() && !own->status.admitted && cluster_.objects.is_stopped_for(*own)) {
      take_back(*own);
    } else if (own->has_quota()) {
      const char* reason = own->status.admitted ? cluster_.objects.drain_reason(*own) : nullptr;
      if (reason != nullptr) evict(own->id, {.reason = reason});
      sync_checks(*own);
    } else if (!own->status.finished && own->spec.active) {
      const std::string queue = cluster_.objects.queue_of(*own).value_or("");
      if (queue == own->cluster_queue && cluster_.queues.holds(*own)) continue;
      cluster_.dequeue(*own);
      cluster_.enqueue(*own);
    }
  }
}

std::optional<SimTime> WorkloadController::next_due() const {
  auto next = alarms_.next_after(cluster_.now);
  if (cluster_.usages) {
    const SimTime sampled = cluster_.usages->next_sample(cluster_.now);
    if (!next || sampled < *next) next = sampled;
  }
  return next;
}

void WorkloadController::advance(SimTime at_time) {
  while (const auto alarm = alarms_.pop_until(at_time)) {
    cluster_.pass_time(alarm->at);
    time_out(at(alarm->workload));
  }
  cluster_.pass_time(at_time);
}

void WorkloadController::time_out(Workload& workload) {
  auto& requeue = workload.status.requeue;
  if (requeue && requeue->at && *requeue->at <= cluster_.now) {
    requeue->at.reset();
    requeue->is_held = false;
    PendingQueue* queue = cluster_.queues.find(workload.cluster_queue);
    if (queue != nullptr && queue->is_parked(workload.id)) queue->push(workload, cluster_.now);
  }
  const auto end = execution_end(workload);
  const auto& rule = cluster_.settings.pods_ready;
  if (workload.has_quota() && end && *end <= cluster_.now) {
    workload.status.executed = {};
    deactivate(workload.id);
  } else if (has_late_pods(workload, rule, cluster_.now)) {
    if (const auto until = requeue_time(workload, *rule, cluster_.now)) {
      evict(workload.id, {.reason = kPodsReadyTimeout});
      put_off(workload, *until, true);
    } else {
      deactivate(workload.id);
    }
  }
  watch(workload);
}

// What time is to do to it next, and whether others wait for its pods.
void WorkloadController::watch(const Workload& workload) {
  pods_ready_.watch(workload);
  alarms_.set(workload.id, due_time(workload, cluster_.settings.pods_ready, cluster_.now));
}

}  // namespace stockout::kueue
