// All pods of a workload, or as many as can be had: rule 24.

#include <algorithm>

#include "tests/support/kueue_by_the_book/flavors.h"

namespace stockout::test::by_the_book {
namespace {

using kueue::PodSet;

bool can_be_had(const Nomination& one) {
  return one.plan.result() == Result::fit || (one.plan.result() == Result::preempt && !one.leaving.empty());
}

Nomination nominate_once(const Book& book, const PlanQuestion& question) {
  Nomination nomination{.plan = plan_flavors(book, question)};
  if (nomination.plan.result() == Result::preempt)
    nomination.leaving = leavers(book, nomination.plan.wish(*question.workload));
  return nomination;
}

std::int64_t spare(const PodSet& pod_set) {
  return pod_set.count - pod_set.min_count.value_or(pod_set.count);
}

}  // namespace

Nomination nominate(const Book& book, PlanQuestion question) {
  Nomination full = nominate_once(book, question);
  if (can_be_had(full) || !book.settings->gates.has(kueue::Gate::partial_admission)) return full;
  const std::vector<PodSet>& pod_sets = question.workload->spec.pod_sets;
  std::int64_t most = 0;
  for (const PodSet& pod_set : pod_sets) most += spare(pod_set);
  if (most == 0) return full;
  // The least reduction that can be had, if more is never worse.
  std::optional<Nomination> best;
  std::int64_t low = 0;
  std::int64_t high = most + 1;
  while (low < high) {
    const std::int64_t reduction = low + (high - low) / 2;
    question.counts.clear();
    for (const PodSet& pod_set : pod_sets)
      question.counts.push_back(pod_set.count - spare(pod_set) * reduction / most);
    Nomination some = nominate_once(book, question);
    if (can_be_had(some)) {
      best = std::move(some);
      high = reduction;
    } else {
      low = reduction + 1;
    }
  }
  if (best) return *best;
  full.leaving.clear();
  return full;
}

}  // namespace stockout::test::by_the_book
