#include "tests/support/kueue_by_the_book/victims.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace stockout::test::by_the_book {

using kueue::PreemptionPolicy;
using kueue::Workload;

SimTime queued_at(const Workload& workload, const kueue::Settings& settings) {
  const kueue::Condition& evicted = workload.status.evicted;
  if (!evicted.status) return workload.created;
  if (evicted.reason == "AdmissionCheck") return evicted.at;
  const kueue::Condition& preempted = workload.status.preempted;
  if (!settings.gates.has(kueue::Gate::priority_sorting_within_cohort) && preempted.status &&
      preempted.reason == "InCohortReclaimWhileBorrowing")
    return preempted.at + std::chrono::milliseconds{1};
  const bool counts = settings.requeue_timestamp == kueue::RequeueTimestamp::eviction;
  return evicted.reason == "PodsReadyTimeout" && counts ? evicted.at : workload.created;
}

std::int64_t priority_of(const Workload& workload, const kueue::Settings& settings) {
  const std::int64_t own = workload.spec.priority;
  const auto& boost = workload.spec.priority_boost;
  if (!boost || !settings.gates.has(kueue::Gate::priority_boost)) return own;
  std::int32_t more = 0;
  const auto [end, error] = std::from_chars(boost->data(), boost->data() + boost->size(), more);
  return error == std::errc{} && end == boost->data() + boost->size() ? own + more : own;
}

bool is_allowed(const Wish& wish, const Workload& candidate, PreemptionPolicy policy,
                const kueue::Settings& settings) {
  if (policy == PreemptionPolicy::never) return false;
  if (policy == PreemptionPolicy::any) return true;
  if (priority_of(*wish.who, settings) > priority_of(candidate, settings)) return true;
  return policy == PreemptionPolicy::lower_or_newer_equal_priority &&
         priority_of(*wish.who, settings) == priority_of(candidate, settings) &&
         queued_at(*wish.who, settings) < queued_at(candidate, settings);
}

bool uses(const Workload& workload, const std::set<Cell>& cells) {
  const Amounts held = held_by(workload);
  return std::any_of(held.begin(), held.end(), [&](const auto& one) { return cells.contains(one.first); });
}

void sort_by_order_of_eviction(std::vector<const Workload*>& workloads, const std::string& queue,
                               const kueue::Settings& settings) {
  const auto place = [&](const Workload& one) {
    const bool is_own = one.status.admission->cluster_queue == queue;
    return std::tuple{!one.status.evicted.status,   is_own,  priority_of(one, settings),
                      kStart - one.status.reserved, one.uid, one.id};
  };
  std::sort(workloads.begin(), workloads.end(),
            [&](const Workload* a, const Workload* b) { return place(*a) < place(*b); });
}

bool fits(const Book& book, const Wish& wish, bool may_borrow) {
  if (!may_borrow) {
    for (const auto& [cell, amount] : wish.amounts) {
      if (book.borrows(queue_node(wish.queue), cell, amount)) return false;
    }
  }
  return book.fits(wish.queue, wish.amounts);
}

std::set<kueue::WorkloadId> ids_of(const std::vector<Leaver>& leaving) {
  std::set<kueue::WorkloadId> ids;
  for (const Leaver& one : leaving) ids.insert(one.workload->id);
  return ids;
}

std::vector<Leaver> only_needed(const Book& book, const Wish& wish, bool may_borrow,
                                std::vector<Leaver> leaving) {
  for (std::size_t i = leaving.size() - 1; i-- > 0;) {
    std::vector<Leaver> fewer = leaving;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (fits(book.without(ids_of(fewer)), wish, may_borrow)) leaving = std::move(fewer);
  }
  return leaving;
}

std::vector<Leaver> leavers(const Book& book, const Wish& wish) {
  return book.settings->fair_sharing ? leavers_by_share(book, wish) : leavers_without_shares(book, wish);
}

}  // namespace stockout::test::by_the_book
