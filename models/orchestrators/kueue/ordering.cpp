#include "models/orchestrators/kueue/ordering.h"

#include <charconv>
#include <chrono>
#include <limits>

namespace stockout::kueue {
namespace {

std::int64_t boost(const std::string& text) {
  std::int32_t value = 0;
  const char* begin = text.starts_with('+') ? text.data() + 1 : text.data();
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  return error == std::errc{} && stop == end && begin != end ? value : 0;
}

const std::string& queue_of(const Workload& workload) {
  return workload.status.admission ? workload.status.admission->cluster_queue : workload.cluster_queue;
}

bool compare_local_queues(const Candidate& a, const Candidate& b) {
  return a.local_queue_usage && b.local_queue_usage && queue_of(*a.workload) == queue_of(*b.workload) &&
         a.workload->spec.local_queue != b.workload->spec.local_queue &&
         *a.local_queue_usage != *b.local_queue_usage;
}

}  // namespace

std::int64_t effective_priority(const Workload& workload, const Gates& gates) {
  const bool boosted = gates.has(Gate::priority_boost) && workload.spec.priority_boost;
  return workload.spec.priority + (boosted ? boost(*workload.spec.priority_boost) : 0);
}

SimTime queue_order_time(const Workload& workload, const Settings& settings) {
  using std::chrono::milliseconds;
  const Condition& evicted = workload.status.evicted;
  if (evicted.status && evicted.reason == kPodsReadyTimeout &&
      settings.requeue_timestamp == RequeueTimestamp::eviction) {
    return evicted.at;
  }
  if (evicted.status && evicted.reason == kAdmissionCheck) return evicted.at;
  if (!settings.gates.has(Gate::priority_sorting_within_cohort) && workload.status.preempted.status &&
      workload.status.preempted.reason == kInCohortReclaimWhileBorrowing) {
    return workload.status.preempted.at + milliseconds{1};
  }
  return workload.created;
}

bool may_preempt(const Workload& preemptor, const Workload& candidate, PreemptionPolicy policy,
                 const Settings& settings) {
  if (policy == PreemptionPolicy::never) return false;
  if (policy == PreemptionPolicy::any) return true;
  const std::int64_t own = effective_priority(preemptor, settings.gates);
  const std::int64_t other = effective_priority(candidate, settings.gates);
  if (other != own || policy == PreemptionPolicy::lower_priority) return other < own;
  return queue_order_time(preemptor, settings) < queue_order_time(candidate, settings);
}

bool is_evicted_first(const Candidate& a, const Candidate& b, const std::string& queue, const Gates& gates) {
  const Workload& first = *a.workload;
  const Workload& second = *b.workload;
  if (first.status.evicted.status != second.status.evicted.status) return first.status.evicted.status;
  const bool first_own = queue_of(first) == queue;
  if (first_own != (queue_of(second) == queue)) return !first_own;
  if (compare_local_queues(a, b)) return *a.local_queue_usage > *b.local_queue_usage;
  const std::int64_t priority = effective_priority(first, gates);
  const std::int64_t other = effective_priority(second, gates);
  if (priority != other) return priority < other;
  if (first.status.reserved != second.status.reserved) return first.status.reserved > second.status.reserved;
  if (first.uid != second.uid) return first.uid < second.uid;
  return first.id < second.id;
}

}  // namespace stockout::kueue
