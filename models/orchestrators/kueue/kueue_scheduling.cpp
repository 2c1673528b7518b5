// Scheduling cycles, and time.

#include <algorithm>
#include <utility>

#include "models/orchestrators/kueue/admission_checks.h"
#include "models/orchestrators/kueue/kueue.h"
#include "models/orchestrators/kueue/ordering.h"
#include "models/orchestrators/kueue/pods_ready.h"

namespace stockout::kueue {

// Workloads that wait for quota below the same root get it from each other.
void Kueue::quota_changed(const std::string& queue) {
  const auto node = tree().queue(queue);
  const std::string root = node ? tree().name(tree().root(*node)) : queue;
  generations_[root] = ++changes_;
  to_flush_.insert(root);
}

std::int64_t Kueue::generation(const std::string& queue) const {
  const auto node = tree().queue(queue);
  const auto entry = generations_.find(node ? tree().name(tree().root(*node)) : queue);
  return entry == generations_.end() ? 0 : entry->second;
}

int Kueue::flush() {
  int moved = 0;
  for (auto& [name, queue] : queues_) {
    const auto node = tree().queue(name);
    const bool is_meant = node && (flush_all_ || to_flush_.contains(tree().name(tree().root(*node))));
    if (is_meant && !tree().is_in_cycle(*node)) moved += queue.flush(now_);
  }
  to_flush_.clear();
  flush_all_ = false;
  return moved;
}

std::vector<Head> Kueue::pop_heads() {
  std::vector<Head> heads;
  for (auto& [name, queue] : queues_) {
    if (!queue.has_active() || !is_active(name)) continue;
    const auto preemptor = queue.preemptor();
    const Workload* first = queue.pop();
    heads.push_back(
        {.workload = first, .is_preemptor = preemptor == first->id, .generation = generation(name)});
  }
  return heads;
}

CycleReport Kueue::cycle() {
  CycleReport report;
  if (blocked_ && !release_blocked()) return report;
  std::vector<Head> heads = pop_heads();
  report.heads = heads.size();
  if (heads.empty()) return report;
  report.entries = run_cycle(
      scene(), {.heads = std::move(heads), .number = ++cycles_, .all_pods_ready = are_all_pods_ready()});
  for (Entry& entry : report.entries) {
    if (carry_out(entry)) report.has_progress = true;
  }
  return report;
}

// True if anything changed for anybody.
bool Kueue::carry_out(Entry& entry) {
  Workload& own = at(entry.head.workload->id);
  if (entry.decision == Decision::admitted) {
    reserve(own, entry.assignment.admission(own.cluster_queue));
    return true;
  }
  reasons_[own.id] = entry.pending_reason;
  if (entry.decision == Decision::blocked) {
    blocked_ = entry;
    return true;
  }
  bool changed = false;
  if (entry.decision == Decision::preempting) {
    for (const Victim& victim : entry.victims) {
      changed = changed || !workload(victim.workload).evicted.status;
      evict_for(victim.workload, kPreempted, &victim, own.id);
    }
  }
  return go_back(entry) || changed;
}

void Kueue::reserve(Workload& workload, Admission admission) {
  reasons_.erase(workload.id);
  const auto queue = queues_.find(workload.cluster_queue);
  if (queue != queues_.end()) queue->second.remove(workload.id);
  workload.admission = std::move(admission);
  workload.reserved = now_;
  workload.evicted.status = false;
  workload.preempted.status = false;
  workload.search.reset();
  ledger_.hold(workload);
  if (usages_ && usages_->usage_for(workload)) usages_->admitted(workload);
  events_.push_back({.kind = Event::Kind::reserved,
                     .workload = workload.id,
                     .queue = workload.admission->cluster_queue,
                     .at = now_});
  for (const RequiredCheck& check : configuration_.cluster_queues.at(workload.cluster_queue).checks) {
    if (find_check(workload, check.name) == nullptr)
      workload.checks.push_back({.name = check.name, .changed = now_});
  }
  sync_admitted(workload);
}

// True if it was parked.
bool Kueue::go_back(const Entry& entry) {
  Workload& own = at(entry.head.workload->id);
  const auto queue = queues_.find(own.cluster_queue);
  if (queue == queues_.end()) return false;
  if (entry.decision != Decision::not_nominated || entry.requeue != RequeueReason::generic) {
    own.search = entry.keeps_search ? std::optional{entry.assignment.search} : std::nullopt;
  }
  queue->second.requeue(own, entry.requeue, now_);
  return queue->second.is_parked(own.id);
}

// Who was next when admission was blocked is admitted first. False if it still is blocked.
bool Kueue::release_blocked() {
  if (!are_all_pods_ready()) return false;
  const Entry entry = std::move(*blocked_);
  blocked_.reset();
  Workload& own = at(entry.head.workload->id);
  if (is_active(own.cluster_queue)) {
    reserve(own, entry.assignment.admission(own.cluster_queue));
  } else {
    queues_.at(own.cluster_queue).requeue(own, RequeueReason::failed_after_nomination, now_);
  }
  return true;
}

// A head may come back with the next flavor to try, so that some cycles without effect are no end. There are
// fewer of these than flavors in a queue.
void Kueue::settle() {
  for (std::size_t quiet = 0; quiet <= most_flavors_ + 1;) {
    const std::size_t events = events_.size();
    const CycleReport report = cycle();
    if (report.has_progress || events_.size() > events) {
      quiet = 0;
    } else if (flush_all_ || !to_flush_.empty()) {
      flush();
      quiet = 0;
    } else if (report.heads == 0) {
      return;
    } else {
      ++quiet;
    }
  }
}

void Kueue::set_local_queue_usage(const std::string& local_queue, std::map<std::string, double> consumed) {
  if (usages_) usages_->set(local_queue, std::move(consumed));
}

std::optional<SimTime> Kueue::next_due() const {
  std::optional<SimTime> next;
  const auto reminder = reminders_.upper_bound({now_, WorkloadId{~std::uint32_t{0}}});
  if (reminder != reminders_.end()) next = reminder->first;
  if (usages_) {
    const SimDuration every = settings_.admission_fair_sharing->sampling;
    const SimTime sampled = kStart + every * ((now_ - kStart) / every + 1);
    if (!next || sampled < *next) next = sampled;
  }
  return next;
}

void Kueue::advance(SimTime at_time) {
  while (!reminders_.empty() && reminders_.begin()->first <= at_time) {
    const auto [due, id] = *reminders_.begin();
    reminders_.erase(reminders_.begin());
    sample(now_, std::max(now_, due));
    now_ = std::max(now_, due);
    time_out(at(id));
  }
  sample(now_, at_time);
  now_ = std::max(now_, at_time);
}

// Something may be due for the workload, or have become void.
void Kueue::time_out(Workload& workload) {
  if (workload.finished) return;
  if (workload.requeue && workload.requeue->at && *workload.requeue->at <= now_) {
    workload.requeue->at.reset();
    const auto queue = queues_.find(workload.cluster_queue);
    if (queue != queues_.end() && queue->second.is_parked(workload.id)) queue->second.push(workload, now_);
  }
  const auto wait = pods_ready_wait(workload, settings_.pods_ready, now_);
  if (!wait || wait->left > SimDuration{} || workload.evicted.status) return;
  const WaitForPodsReady& rule = *settings_.pods_ready;
  const std::int32_t count = workload.requeue ? workload.requeue->count.value_or(0) + 1 : 1;
  if (rule.backoff_limit && count > *rule.backoff_limit) {
    deactivate(workload);
    return;
  }
  evict(workload.id, kPodsReadyTimeout);
  put_off(workload, later(now_, backoff(rule.backoff_base, rule.backoff_max, count)), true);
  remind(*workload.requeue->at, workload.id);
}

void Kueue::sample(SimTime from, SimTime to) {
  if (!usages_ || to <= from) return;
  const SimDuration every = settings_.admission_fair_sharing->sampling;
  const auto samples = (to - kStart) / every - (from - kStart) / every;
  if (samples == 0) return;
  std::map<std::string, std::map<std::string, double>> current;
  for (const auto& [name, queue] : configuration_.cluster_queues) {
    if (!queue.usage_based_admission) continue;
    for (const WorkloadId id : ledger_.held_in(name)) {
      auto& amounts = current[workload(id).local_queue];
      for (const PodSetAdmission& pod_set : workload(id).admission->pod_sets) {
        for (const auto& [resource, amount] : pod_set.usage)
          amounts[resource] += static_cast<double>(amount.count());
      }
    }
  }
  for (const auto& [name, queue] : configuration_.local_queues)
    usages_->sample(name, current[name], every * samples);
}

}  // namespace stockout::kueue
