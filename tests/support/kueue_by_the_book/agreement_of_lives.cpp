// The same life by the library and by the book.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "models/orchestrators/kueue/kueue.h"
#include "tests/support/kueue_by_the_book/agreement.h"
#include "tests/support/kueue_by_the_book/life.h"

namespace stockout::test::by_the_book {
namespace {

using kueue::Workload;
using kueue::WorkloadId;

// What can be seen of a workload.
std::string status_of(const Workload& workload, bool is_active, bool is_parked) {
  const kueue::WorkloadStatus& status = workload.status;
  if (status.finished) return "finished";
  if (!status.admission)
    return (is_active ? "waits " : is_parked ? "parked " : "nowhere ") + status.pending_reason;
  std::string text = "holds in " + status.admission->cluster_queue;
  for (const kueue::PodSetAdmission& given : status.admission->pod_sets) {
    text += fmt::format("; {} x {}", given.count, given.pod_set);
    for (const auto& [resource, flavor] : given.flavors)
      text += fmt::format(" {}={} of {}", resource, given.usage.at(resource).count(), flavor);
  }
  if (status.evicted.status)
    text += fmt::format(", evicted: {} {}", status.evicted.reason, status.preempted.reason);
  return text;
}

// Both of them, to which the same happens.
class Twins {
 public:
  explicit Twins(const RandomCluster& cluster)
      : library_{cluster.objects, cluster.settings}, book_{cluster.objects, cluster.settings} {
    for (const Workload& holder : cluster.holders) submit(holder);
  }

  void happen(const Happening& one) {
    library_.advance(library_.now() + std::chrono::seconds{1});
    book_.pass_time(std::chrono::seconds{1});
    switch (one.kind) {
      case Happening::Kind::submit:
        return submit(one.workload);
      case Happening::Kind::finish:
        return pick(
            one.which, [](const Workload& workload) { return !workload.status.finished; },
            [&](WorkloadId id) {
              library_.finish(id);
              book_.finish(id);
            });
      case Happening::Kind::finish_eviction:
        return pick(
            one.which,
            [](const Workload& workload) {
              return workload.status.admission && workload.status.evicted.status;
            },
            [&](WorkloadId id) {
              library_.finish_eviction(id);
              book_.finish_eviction(id);
            });
      case Happening::Kind::new_priority:
        return pick(
            one.which, [](const Workload& workload) { return !workload.status.finished; },
            [&](WorkloadId id) { change_priority(id, static_cast<std::int32_t>(one.which / 7 % 4)); });
      case Happening::Kind::fewer_pods:
        return pick(
            one.which, [](const Workload& workload) { return !workload.status.finished; },
            [&](WorkloadId id) { end_pods(id, one.which / 7); });
      case Happening::Kind::new_queue:
        library_.apply(one.queue);
        return book_.change(one.queue);
      case Happening::Kind::new_cohort:
        library_.apply(one.cohort);
        return book_.change(one.cohort);
      case Happening::Kind::cycle:
        static_cast<void>(library_.cycle());
        return book_.cycle();
      case Happening::Kind::flush:
        static_cast<void>(library_.flush());
        return book_.flush();
    }
  }

  [[nodiscard]] std::string difference() const {
    for (const WorkloadId id : all_) {
      const Workload& ours = library_.workload(id);
      const kueue::PendingQueue* line = library_.pending(ours.cluster_queue);
      const std::string a = status_of(ours, line->is_active(id), line->is_parked(id));
      const std::string b = status_of(book_.workload(id), book_.is_active(id), book_.is_parked(id));
      if (a != b) return fmt::format("{}\n  library: {}\n  by the book: {}\n", ours.name, a, b);
    }
    return {};
  }

 private:
  void submit(const Workload& workload) {
    all_.push_back(library_.submit(workload));
    book_.submit(workload);
  }

  void change_priority(WorkloadId id, std::int32_t priority) {
    kueue::WorkloadSpec spec = library_.workload(id).spec;
    spec.priority = priority;
    library_.update(id, spec);
    book_.change_priority(id, priority);
  }

  // More of one of its pod sets than before, but not all.
  void end_pods(WorkloadId id, std::size_t number) {
    const Workload& workload = library_.workload(id);
    const kueue::PodSet& pod_set = workload.spec.pod_sets[number % workload.spec.pod_sets.size()];
    std::map<std::string, std::int64_t> pods = workload.status.reclaimable;
    pods[pod_set.name] = std::min(pods[pod_set.name] + 1, pod_set.count - 1);
    library_.set_reclaimable(id, pods);
    book_.end_pods(id, pods);
  }

  // Does it to one of those that may, if there is any.
  template <typename May, typename Do>
  void pick(std::size_t which, const May& may, const Do& act) {
    std::vector<WorkloadId> some;
    for (const WorkloadId id : all_) {
      if (may(book_.workload(id))) some.push_back(id);
    }
    if (!some.empty()) act(some[which % some.size()]);
  }

  kueue::Kueue library_;
  Life book_;
  std::vector<WorkloadId> all_;
};

}  // namespace

std::string differences_in_life(const RandomCluster& cluster) {
  Twins twins{cluster};
  std::size_t number = 0;
  for (const Happening& one : cluster.happenings) {
    twins.happen(one);
    ++number;
    const std::string difference = twins.difference();
    if (!difference.empty()) return fmt::format("after happening {}: {}", number, difference);
  }
  return {};
}

}  // namespace stockout::test::by_the_book
