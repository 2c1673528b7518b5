#include "models/orchestrators/kueue/pending_queue.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/orchestrators/kueue/cycle.h"
#include "models/orchestrators/kueue/ordering.h"

namespace stockout::kueue {
namespace {

bool is_same(const Condition& a, const Condition& b) {
  return a.status == b.status && a.reason == b.reason && a.at == b.at;
}

bool is_same(const std::optional<RequeueState>& a, const std::optional<RequeueState>& b) {
  return a.has_value() == b.has_value() && (!a || (a->count == b->count && a->at == b->at));
}

bool is_changed(const Workload& before, const Workload& after, const Gates& gates) {
  return shape_of(before, gates) != shape_of(after, gates) || before.active != after.active ||
         before.reclaimable != after.reclaimable || before.local_queue != after.local_queue ||
         before.requeue_held != after.requeue_held || !is_same(before.evicted, after.evicted) ||
         !is_same(before.requeue, after.requeue);
}

}  // namespace

bool is_backoff_over(const Workload& workload, SimTime now) {
  if (workload.requeue_held) return false;
  return !workload.requeue || !workload.requeue->at || *workload.requeue->at <= now;
}

bool FlavorSearch::has_untried() const {
  return std::any_of(tried.begin(), tried.end(), [](const std::map<std::string, int>& pod_set) {
    return std::any_of(pod_set.begin(), pod_set.end(), [](const auto& one) { return one.second != -1; });
  });
}

bool PendingQueue::Place::operator<(const Place& other) const {
  if (priority != other.priority) return priority > other.priority;
  return std::tie(queued, uid, id) < std::tie(other.queued, other.uid, other.id);
}

PendingQueue::PendingQueue(const Settings& settings, QueueingStrategy strategy, UsageOf usage)
    : settings_{settings}, strategy_{strategy}, usage_{std::move(usage)} {}

void PendingQueue::set_rules(QueueingStrategy strategy, UsageOf usage) {
  strategy_ = strategy;
  usage_ = std::move(usage);
  const std::vector<const Workload*> all = active();
  for (const Workload* workload : all) deactivate(workload->id);
  for (const Workload* workload : all) activate(*workload);
}

void PendingQueue::push(const Workload& workload, SimTime now) {
  const bool was_active = is_active(workload.id);
  deactivate(workload.id);
  parked_.erase(workload.id);
  const bool is_like_parked = strategy_ == QueueingStrategy::best_effort_fifo &&
                              settings_.gates.equivalence_hashing &&
                              parked_shapes_.contains(shape_of(workload, settings_.gates));
  if (!was_active && (is_like_parked || !is_backoff_over(workload, now))) {
    park(workload);
  } else {
    activate(workload);
  }
}

void PendingQueue::update(const Workload& before, const Workload& after, SimTime now) {
  if (is_parked(before.id) && !is_changed(before, after, settings_.gates)) {
    parked_[after.id] = &after;
  } else {
    push(after, now);
  }
}

const Workload* PendingQueue::pop() {
  flushed_since_pop_ = false;
  const Workload* first = head();
  if (first != nullptr) deactivate(first->id);
  return first;
}

bool PendingQueue::requeue(const Workload& workload, RequeueReason reason, SimTime now) {
  if (reason == RequeueReason::pending_preemption || reason == RequeueReason::pending_migration) {
    preemptor_ = workload.id;
  } else if (preemptor_ == workload.id) {
    preemptor_.reset();
  }
  const bool at_once =
      strategy_ == QueueingStrategy::strict_fifo
          ? reason != RequeueReason::namespace_mismatch
          : reason == RequeueReason::failed_after_nomination || reason == RequeueReason::pending_preemption ||
                reason == RequeueReason::pending_migration || reason == RequeueReason::preemption_failed;
  const bool has_untried = workload.search && workload.search->has_untried();
  if (is_active(workload.id)) return false;
  if (is_backoff_over(workload, now) && (at_once || flushed_since_pop_ || has_untried)) {
    parked_.erase(workload.id);
    activate(workload);
    return true;
  }
  if (is_parked(workload.id)) return false;
  park(workload);
  const bool parks_like =
      reason == RequeueReason::no_fit || reason == RequeueReason::preemption_no_candidates;
  if (parks_like && settings_.gates.equivalence_hashing && strategy_ == QueueingStrategy::best_effort_fifo) {
    park_like(shape_of(workload, settings_.gates));
  }
  return true;
}

int PendingQueue::flush(SimTime now) {
  flushed_since_pop_ = true;
  parked_shapes_.clear();
  std::vector<const Workload*> back;
  for (const auto& [id, workload] : parked_) {
    if (workload->namespace_matches && is_backoff_over(*workload, now)) back.push_back(workload);
  }
  for (const Workload* workload : back) {
    parked_.erase(workload->id);
    activate(*workload);
  }
  return static_cast<int>(back.size());
}

void PendingQueue::remove(WorkloadId id) {
  deactivate(id);
  parked_.erase(id);
  if (preemptor_ == id) preemptor_.reset();
}

bool PendingQueue::is_active(WorkloadId id) const { return active_.contains(id); }

std::vector<const Workload*> PendingQueue::active() const {
  std::map<WorkloadId, const Workload*> sorted;
  for (const auto& [id, one] : active_) sorted[id] = one.workload;
  std::vector<const Workload*> all;
  for (const auto& [id, workload] : sorted) all.push_back(workload);
  return all;
}

std::vector<const Workload*> PendingQueue::parked() const {
  std::vector<const Workload*> all;
  for (const auto& [id, workload] : parked_) all.push_back(workload);
  return all;
}

std::optional<SimTime> PendingQueue::next_wake(SimTime now) const {
  std::optional<SimTime> first;
  for (const auto& [id, workload] : parked_) {
    if (workload->requeue_held || !workload->requeue || !workload->requeue->at) continue;
    const SimTime at = *workload->requeue->at;
    if (at > now && (!first || at < *first)) first = at;
  }
  return first;
}

PendingQueue::Waiting PendingQueue::waiting(const Workload& workload) const {
  return {.workload = &workload,
          .place = {.priority = effective_priority(workload, settings_.gates),
                    .queued = queue_order_time(workload, settings_),
                    .uid = workload.uid,
                    .id = workload.id},
          .lane = usage_ ? workload.local_queue : std::string{},
          .shape = shape_of(workload, settings_.gates)};
}

void PendingQueue::activate(const Workload& workload) {
  Waiting one = waiting(workload);
  lanes_[one.lane][one.place] = &workload;
  by_shape_[one.shape].insert(workload.id);
  active_.insert_or_assign(workload.id, std::move(one));
  active_count_ = active_.size();
}

void PendingQueue::deactivate(WorkloadId id) {
  const auto entry = active_.find(id);
  if (entry == active_.end()) return;
  const auto lane = lanes_.find(entry->second.lane);
  lane->second.erase(entry->second.place);
  if (lane->second.empty()) lanes_.erase(lane);
  const auto like = by_shape_.find(entry->second.shape);
  like->second.erase(id);
  if (like->second.empty()) by_shape_.erase(like);
  active_.erase(entry);
  active_count_ = active_.size();
}

void PendingQueue::park(const Workload& workload) { parked_[workload.id] = &workload; }

int PendingQueue::park_like(const std::string& shape) {
  parked_shapes_.insert(shape);
  const auto like = by_shape_.find(shape);
  if (like == by_shape_.end()) return 0;
  const std::set<WorkloadId> moved = like->second;
  for (const WorkloadId id : moved) {
    const Workload& workload = *active_.at(id).workload;
    deactivate(id);
    park(workload);
  }
  return static_cast<int>(moved.size());
}

const Workload* PendingQueue::head_of(const Lane& lane) const {
  if (!preemptor_ || !is_sticky(*preemptor_)) return lane.begin()->second;
  const auto sticky = active_.find(*preemptor_);
  const bool is_here = sticky != active_.end() && lane.contains(sticky->second.place);
  return is_here ? sticky->second.workload : lane.begin()->second;
}

// The least used local queue's, or among several the one that goes first without regard to usage.
const Workload* PendingQueue::head() const {
  const Workload* first = nullptr;
  double least = 0;
  for (const auto& [name, lane] : lanes_) {
    const Workload* candidate = head_of(lane);
    const double usage = usage_ ? usage_(name) : 0;
    const bool goes_first =
        first == nullptr || usage < least ||
        (usage == least && !is_sticky(first->id) &&
         (is_sticky(candidate->id) || active_.at(candidate->id).place < active_.at(first->id).place));
    if (!goes_first) continue;
    first = candidate;
    least = usage;
  }
  return first;
}

}  // namespace stockout::kueue
