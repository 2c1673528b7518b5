#include "models/orchestrators/kueue/pending_queue.h"

#include <algorithm>
#include <utility>

#include "models/orchestrators/kueue/cycle.h"
#include "models/orchestrators/kueue/eviction.h"
#include "models/orchestrators/kueue/ordering.h"

namespace stockout::kueue {
namespace {

bool is_same(const Condition& a, const Condition& b) {
  return a.status == b.status && a.reason == b.reason && a.at == b.at;
}

bool is_changed(const Workload& before, const Workload& after, const Gates& gates) {
  return shape_of(before, gates) != shape_of(after, gates) || before.spec.active != after.spec.active ||
         before.status.reclaimable != after.status.reclaimable ||
         before.spec.local_queue != after.spec.local_queue ||
         before.spec.max_execution != after.spec.max_execution ||
         !is_same(before.status.evicted, after.status.evicted) ||
         before.status.requeue != after.status.requeue;
}

}  // namespace

PendingQueue::PendingQueue(const Settings& settings, QueueingStrategy strategy, UsageOf usage)
    : settings_{settings}, strategy_{strategy}, usage_{std::move(usage)} {}

// Who counts by local queue stands elsewhere.
void PendingQueue::set_rules(QueueingStrategy strategy, UsageOf usage, SimTime now) {
  const bool is_elsewhere = static_cast<bool>(usage) != static_cast<bool>(usage_);
  strategy_ = strategy;
  usage_ = std::move(usage);
  if (!is_elsewhere) return;
  for (WaitingLine* line : {&active_, &parked_}) {
    for (const Workload* workload : line->all()) put_into(*line, *workload, now);
  }
}

void PendingQueue::push(const Workload& workload, SimTime now) {
  const bool was_active = is_active(workload.id);
  const bool is_like_parked = strategy_ == QueueingStrategy::best_effort_fifo &&
                              settings_.gates.has(Gate::equivalence_hashing) &&
                              parked_shapes_.contains(shape_of(workload, settings_.gates));
  if (!was_active && (is_like_parked || !is_backoff_over(workload, now))) {
    park(workload, now);
  } else {
    activate(workload, now);
  }
}

void PendingQueue::update(const Workload& before, const Workload& after, SimTime now) {
  if (is_parked(before.id) && !is_changed(before, after, settings_.gates)) {
    park(after, now);
  } else {
    push(after, now);
  }
}

const Workload* PendingQueue::pop() {
  flushed_since_pop_ = false;
  const Workload* first = head();
  if (first != nullptr) leave(first->id);
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
    activate(workload, now);
    return true;
  }
  if (is_parked(workload.id)) return false;
  park(workload, now);
  const bool parks_like =
      reason == RequeueReason::no_fit || reason == RequeueReason::preemption_no_candidates;
  if (parks_like && settings_.gates.has(Gate::equivalence_hashing) &&
      strategy_ == QueueingStrategy::best_effort_fifo) {
    const std::string& shape = spots_.at(workload.id).kind.shape;
    parked_shapes_.insert(shape);
    active_.move_like(shape, parked_);
  }
  return true;
}

int PendingQueue::flush(SimTime now) {
  flushed_since_pop_ = true;
  parked_shapes_.clear();
  const std::size_t before = active_.size();
  parked_.move_free(active_);
  for (const Workload* workload : parked_.held()) {
    if (workload->namespace_matches && is_backoff_over(*workload, now)) activate(*workload, now);
  }
  return static_cast<int>(active_.size() - before);
}

void PendingQueue::remove(WorkloadId id) {
  leave(id);
  if (preemptor_ == id) preemptor_.reset();
}

bool PendingQueue::is_in(const WaitingLine& line, WorkloadId id) const {
  const auto spot = spots_.find(id);
  return spot != spots_.end() && line.contains(spot->second);
}

Spot PendingQueue::spot_of(const Workload& workload, SimTime now) const {
  return {.kind = {.is_held = !workload.namespace_matches || !is_backoff_over(workload, now),
                   .shape = shape_of(workload, settings_.gates),
                   .lane = usage_ ? workload.spec.local_queue : std::string{}},
          .place = {.priority = effective_priority(workload, settings_.gates),
                    .queued = queue_order_time(workload, settings_),
                    .uid = workload.uid,
                    .id = workload.id}};
}

void PendingQueue::activate(const Workload& workload, SimTime now) { put_into(active_, workload, now); }

void PendingQueue::park(const Workload& workload, SimTime now) { put_into(parked_, workload, now); }

void PendingQueue::put_into(WaitingLine& line, const Workload& workload, SimTime now) {
  leave(workload.id);
  const Spot& spot = spots_.emplace(workload.id, spot_of(workload, now)).first->second;
  line.add(spot, workload);
}

void PendingQueue::leave(WorkloadId id) {
  const auto spot = spots_.find(id);
  if (spot == spots_.end()) return;
  active_.remove(spot->second);
  parked_.remove(spot->second);
  spots_.erase(spot);
}

const Workload* PendingQueue::head_of(const std::string& lane, const Workload* front) const {
  if (!preemptor_ || !is_sticky(*preemptor_) || !is_active(*preemptor_)) return front;
  const Spot& sticky = spots_.at(*preemptor_);
  return sticky.kind.lane == lane ? active_.at(sticky) : front;
}

// The least used local queue's, or among several the one that goes first without regard to usage.
const Workload* PendingQueue::head() const {
  const Workload* first = nullptr;
  double least = 0;
  for (const auto& [lane, fronts] : active_.fronts()) {
    const Workload* candidate = head_of(lane, fronts.begin()->second);
    const double usage = usage_ ? usage_(lane) : 0;
    const bool goes_first =
        first == nullptr || usage < least ||
        (usage == least && !is_sticky(first->id) &&
         (is_sticky(candidate->id) || spots_.at(candidate->id).place < spots_.at(first->id).place));
    if (!goes_first) continue;
    first = candidate;
    least = usage;
  }
  return first;
}

}  // namespace stockout::kueue
