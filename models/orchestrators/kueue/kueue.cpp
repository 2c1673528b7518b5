// The life of a workload: it comes, waits, is evicted, ends.

#include "models/orchestrators/kueue/kueue.h"

#include <algorithm>
#include <utility>

#include "models/orchestrators/kueue/admission_checks.h"
#include "models/orchestrators/kueue/ordering.h"
#include "models/orchestrators/kueue/pods_ready.h"

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
  for (std::size_t i = 0; i < counts.size(); ++i) left[workload.pod_sets[i].name] = counts[i];
  return left;
}

}  // namespace

Kueue::Kueue(Configuration configuration, Settings settings, std::optional<std::set<std::string>> checks)
    : configuration_{std::move(configuration)}, settings_{std::move(settings)}, checks_{std::move(checks)} {
  if (settings_.admission_fair_sharing) usages_.emplace(configuration_, *settings_.admission_fair_sharing);
  reconfigure();
  flush_all_ = false;  // nobody is parked yet
}

std::optional<std::string> Kueue::queue_of(const Workload& workload) const {
  const auto local = configuration_.local_queues.find(workload.local_queue);
  if (local == configuration_.local_queues.end() || local->second.stop != StopPolicy::none)
    return std::nullopt;
  const std::string& name = local->second.cluster_queue;
  return queues_.contains(name) ? std::optional{name} : std::nullopt;
}

const PendingQueue* Kueue::pending(const std::string& queue) const {
  const auto entry = queues_.find(queue);
  return entry == queues_.end() ? nullptr : &entry->second;
}

const std::string& Kueue::pending_reason(WorkloadId id) const {
  static const std::string kNone;
  const auto entry = reasons_.find(id);
  return entry == reasons_.end() ? kNone : entry->second;
}

WorkloadId Kueue::submit(Workload workload) {
  workload.id = WorkloadId{static_cast<std::uint32_t>(workloads_.size())};
  workloads_.push_back(std::make_unique<Workload>(std::move(workload)));
  Workload& own = *workloads_.back();
  if (own.has_quota()) {
    ledger_.hold(own);
    remember(own.id);
  } else {
    enqueue(own);
  }
  return own.id;
}

void Kueue::update(WorkloadId id, const Workload& changed) {
  Workload& own = at(id);
  dequeue(own);
  if (changed.active && !own.active) own.requeue.reset();
  const bool is_stopped = own.active && !changed.active;
  own.priority = changed.priority;
  own.priority_boost = changed.priority_boost;
  own.pod_sets = changed.pod_sets;
  own.local_queue = changed.local_queue;
  own.active = changed.active;
  if (!own.has_quota()) enqueue(own);
  if (is_stopped) deactivate(own);
  if (const auto queue = queue_of(own)) quota_changed(*queue);  // it may now evict, or be evicted
}

void Kueue::enqueue(Workload& workload) {
  if (!workload.active || workload.finished || workload.has_quota()) return;
  const auto queue = queue_of(workload);
  workload.cluster_queue = queue.value_or("");
  if (!queue) return;
  queues_.at(*queue).push(workload, now_);
  if (workload.requeue && workload.requeue->at) remind(*workload.requeue->at, workload.id);
}

void Kueue::dequeue(const Workload& workload) {
  if (blocked_ && blocked_->head.workload == &workload) blocked_.reset();
  const auto queue = queues_.find(workload.cluster_queue);
  if (queue != queues_.end()) queue->second.remove(workload.id);
}

void Kueue::free_quota(Workload& workload) {
  unready_.erase(workload.id);
  if (!workload.has_quota()) return;
  const std::string queue = workload.admission->cluster_queue;
  ledger_.release(workload);
  workload.admission.reset();
  workload.admitted.reset();
  quota_changed(queue);
  if (leaving_.contains(queue) && ledger_.held_in(queue).empty()) remove_cluster_queue(queue);
}

void Kueue::finish(WorkloadId id) {
  at(id).finished = true;
  dequeue(at(id));
  free_quota(at(id));
}

// The number stays, so that events keep their meaning.
void Kueue::remove(WorkloadId id) { finish(id); }

void Kueue::finish_eviction(WorkloadId id) {
  Workload& own = at(id);
  if (!own.evicted.status || own.finished) return;
  free_quota(own);
  own.pods_ready.reset();
  own.search.reset();
  enqueue(own);
}

void Kueue::evict(WorkloadId id, const std::string& reason) { evict_for(id, reason, nullptr, std::nullopt); }

void Kueue::evict_for(WorkloadId id, const std::string& reason, const Victim* victim,
                      std::optional<WorkloadId> preemptor) {
  Workload& own = at(id);
  if (own.evicted.status || !own.has_quota()) return;
  own.evicted = {.status = true, .reason = reason, .at = now_};
  if (victim != nullptr) own.preempted = {.status = true, .reason = victim->reason, .at = now_};
  reset_checks(own, now_);
  events_.push_back({.kind = Event::Kind::evicted,
                     .workload = id,
                     .queue = own.admission->cluster_queue,
                     .reason = reason,
                     .preemption_reason = victim == nullptr ? "" : victim->reason,
                     .preemptor = preemptor,
                     .at = now_});
}

void Kueue::deactivate(Workload& workload) {
  workload.active = false;
  workload.requeue.reset();
  dequeue(workload);
  evict(workload.id, kDeactivated);
}

void Kueue::set_check(WorkloadId id, const Check& check) {
  Workload& own = at(id);
  auto known = std::find_if(own.checks.begin(), own.checks.end(),
                            [&](const Check& one) { return one.name == check.name; });
  if (known == own.checks.end()) known = own.checks.insert(own.checks.end(), Check{.name = check.name});
  known->state = check.state;
  known->requeue_after = check.requeue_after;
  known->changed = now_;
  act_on_checks(own);
}

void Kueue::act_on_checks(Workload& workload) {
  const auto has = [&](CheckState state) {
    return std::any_of(workload.checks.begin(), workload.checks.end(),
                       [&](const Check& check) { return check.state == state; });
  };
  if (has(CheckState::rejected)) {
    deactivate(workload);
  } else if (has(CheckState::retry)) {
    const auto until = retry_time(workload.checks);
    evict(workload.id, kAdmissionCheck);
    if (until && *until > now_ && put_off(workload, *until, false) && !workload.has_quota()) {
      dequeue(workload);
      enqueue(workload);
    }
  } else {
    sync_admitted(workload);
  }
}

// Admitted is who holds quota and has all checks.
void Kueue::sync_admitted(Workload& workload) {
  if (!workload.has_quota() || workload.admitted || workload.evicted.status) return;
  const ClusterQueue& queue = configuration_.cluster_queues.at(workload.admission->cluster_queue);
  if (!are_ready(workload, required_checks(queue, *workload.admission))) return;
  workload.admitted = now_;
  events_.push_back({.kind = Event::Kind::admitted,
                     .workload = workload.id,
                     .queue = workload.admission->cluster_queue,
                     .at = now_});
  remember(workload.id);
}

void Kueue::set_pods_ready(WorkloadId id, Condition ready) {
  Workload& own = at(id);
  ready.at = now_;
  own.pods_ready = std::move(ready);
  remember(id);
}

void Kueue::set_reclaimable(WorkloadId id, std::map<std::string, std::int64_t> pods) {
  Workload& own = at(id);
  own.reclaimable = std::move(pods);
  if (!settings_.gates.reclaimable_pods) return;
  if (own.has_quota()) {
    scale_down(*own.admission, pods_left(own, settings_.gates));
    ledger_.recount(own);
    quota_changed(own.admission->cluster_queue);
  } else {
    dequeue(own);
    enqueue(own);
  }
}

// Who is not ready, and until when that may last.
void Kueue::remember(WorkloadId id) {
  const Workload& own = at(id);
  const bool is_unready = own.admitted && own.has_quota() && !(own.pods_ready && own.pods_ready->status);
  if (is_unready) {
    unready_.insert(id);
  } else {
    unready_.erase(id);
  }
  const auto wait = pods_ready_wait(own, settings_.pods_ready, now_);
  if (wait) remind(later(now_, wait->left), id);
}

}  // namespace stockout::kueue
