// A random cluster in words, and a smaller one.

#include <fmt/format.h>

#include "tests/support/kueue_by_the_book/random_cluster.h"

namespace stockout::test::by_the_book {
namespace {

using kueue::ResourceGroup;
using kueue::Workload;

std::string describe(const std::vector<ResourceGroup>& groups) {
  std::string text;
  for (const ResourceGroup& group : groups) {
    text += " [";
    for (const kueue::FlavorQuotas& flavor : group.flavors) {
      text += flavor.flavor + ":";
      for (const auto& [resource, quota] : flavor.quotas) {
        text += fmt::format(" {}={}", resource, quota.nominal.count());
        if (quota.borrowing_limit) text += fmt::format(" +{}", quota.borrowing_limit->count());
        if (quota.lending_limit) text += fmt::format(" lends {}", quota.lending_limit->count());
      }
      text += "; ";
    }
    text += "]";
  }
  return text;
}

std::string describe(const kueue::ClusterQueue& queue) {
  const kueue::Preemption& rules = queue.preemption;
  const kueue::BorrowWithinCohort& borrow = rules.borrow_within_cohort;
  return fmt::format(
      "queue {} in '{}'{} weight {} {} within {} reclaim {}{} borrow {} up to {} next: borrowing {} preempting {}, "
      "prefers {}{}\n",
      queue.name, queue.cohort, queue.stop == kueue::StopPolicy::none ? "" : " on hold", queue.fair_weight,
      queue.strategy == kueue::QueueingStrategy::strict_fifo ? "strict" : "best effort",
      static_cast<int>(rules.within_queue), static_cast<int>(rules.reclaim_within_cohort),
      rules.reclaim_unset ? " (unset)" : "", borrow.lower_priority, borrow.max_priority.value_or(-1),
      queue.fungibility.next_when_borrowing, queue.fungibility.next_when_preempting,
      static_cast<int>(queue.fungibility.preference), describe(queue.groups));
}

std::string describe(const kueue::Cohort& cohort) {
  return fmt::format("cohort {} in '{}' weight {}{}\n", cohort.name, cohort.parent, cohort.fair_weight,
                     describe(cohort.groups));
}

std::string describe(const Workload& workload) {
  std::string text =
      fmt::format("{} uid {} in {} priority {} created {}", workload.name, workload.uid,
                  workload.cluster_queue, workload.spec.priority, (workload.created - kStart).count());
  for (const kueue::PodSet& pod_set : workload.spec.pod_sets) {
    text += fmt::format(" | {} x {}", pod_set.count, pod_set.name);
    if (pod_set.min_count) text += fmt::format(" (at least {})", *pod_set.min_count);
    for (const auto& [resource, amount] : pod_set.requests)
      text += fmt::format(" {}={}", resource, amount.count());
    text += ' ' + kueue::describe(pod_set.nodes);
  }
  if (workload.status.admission) {
    text += fmt::format(" holds since {}", (workload.status.reserved - kStart).count());
    for (const kueue::PodSetAdmission& given : workload.status.admission->pod_sets) {
      for (const auto& [resource, flavor] : given.flavors)
        text += fmt::format(" {}={} of {}", resource, given.usage.at(resource).count(), flavor);
    }
    if (workload.status.evicted.status)
      text += fmt::format(" evicted {} {} at {}", workload.status.evicted.reason,
                          workload.status.preempted.reason, (workload.status.evicted.at - kStart).count());
  }
  return text;
}

std::string describe(const Happening& one) {
  switch (one.kind) {
    case Happening::Kind::submit:
      return "submit " + describe(one.workload);
    case Happening::Kind::finish:
      return fmt::format("finish {}", one.which);
    case Happening::Kind::finish_eviction:
      return fmt::format("finish eviction {}", one.which);
    case Happening::Kind::new_priority:
      return fmt::format("new priority {}", one.which);
    case Happening::Kind::fewer_pods:
      return fmt::format("fewer pods {}", one.which);
    case Happening::Kind::new_queue:
      return "new " + describe(one.queue);
    case Happening::Kind::new_cohort:
      return "new " + describe(one.cohort);
    case Happening::Kind::cycle:
      return "cycle";
    case Happening::Kind::flush:
      break;
  }
  return "flush";
}

std::string describe(const kueue::Settings& settings) {
  std::string text = fmt::format("fair {}, strategies", settings.fair_sharing);
  for (const kueue::FairStrategy strategy : settings.strategies)
    text += fmt::format(" {}", static_cast<int>(strategy));
  text += ", gates";
  for (int gate = 0; gate <= static_cast<int>(kueue::Gate::admission_fair_sharing); ++gate)
    text += settings.gates.has(static_cast<kueue::Gate>(gate)) ? fmt::format(" {}", gate) : "";
  return text + "\n";
}

// Drops from a list, from its end on, what need not be there.
template <typename Item>
bool drop_some(RandomCluster& cluster, std::vector<Item> RandomCluster::*list,
               const std::function<bool(const RandomCluster&)>& fails) {
  bool any = false;
  for (std::size_t i = (cluster.*list).size(); i-- > 0;) {
    RandomCluster less = cluster;
    (less.*list).erase((less.*list).begin() + static_cast<std::ptrdiff_t>(i));
    if (!fails(less)) continue;
    cluster = std::move(less);
    any = true;
  }
  return any;
}

RandomCluster without_queue(RandomCluster cluster, const std::string& name) {
  const auto is_of = [&](const Workload& one) { return one.cluster_queue == name; };
  std::erase_if(cluster.holders, is_of);
  std::erase_if(cluster.incoming, is_of);
  std::erase_if(cluster.happenings, [&](const Happening& one) {
    return (one.kind == Happening::Kind::submit && is_of(one.workload)) ||
           (one.kind == Happening::Kind::new_queue && one.queue.name == name);
  });
  cluster.objects.cluster_queues.erase(name);
  cluster.objects.local_queues.erase(name);
  return cluster;
}

bool drop_queues(RandomCluster& cluster, const std::function<bool(const RandomCluster&)>& fails) {
  bool any = false;
  const auto queues = cluster.objects.cluster_queues;
  for (const auto& [name, queue] : queues) {
    RandomCluster less = without_queue(cluster, name);
    if (!fails(less)) continue;
    cluster = std::move(less);
    any = true;
  }
  return any;
}

bool drop_quotas_of_cohorts(RandomCluster& cluster, const std::function<bool(const RandomCluster&)>& fails) {
  bool any = false;
  const auto cohorts = cluster.objects.cohorts;
  for (const auto& [name, cohort] : cohorts) {
    if (cohort.groups.empty()) continue;
    RandomCluster less = cluster;
    less.objects.cohorts.at(name).groups.clear();
    if (!fails(less)) continue;
    cluster = std::move(less);
    any = true;
  }
  return any;
}

}  // namespace

std::string describe(const RandomCluster& cluster) {
  std::string text = describe(cluster.settings);
  for (const auto& [name, flavor] : cluster.objects.flavors) {
    text += "flavor " + name;
    for (const auto& [key, value] : flavor.labels) text += fmt::format(" {}={}", key, value);
    for (const kueue::Taint& taint : flavor.taints) text += " taint " + taint.key;
    for (const kueue::Toleration& one : flavor.tolerations) text += " tolerates " + one.key;
    text += '\n';
  }
  for (const auto& [name, cohort] : cluster.objects.cohorts) text += describe(cohort);
  for (const auto& [name, queue] : cluster.objects.cluster_queues) text += describe(queue);
  for (const Workload& one : cluster.holders) text += "holder " + describe(one) + '\n';
  for (const Workload& one : cluster.incoming) text += "incoming " + describe(one) + '\n';
  for (const Happening& one : cluster.happenings) text += describe(one) + '\n';
  return text;
}

RandomCluster shrink(RandomCluster cluster, const std::function<bool(const RandomCluster&)>& fails) {
  for (bool goes_on = true; goes_on;) {
    goes_on = drop_some(cluster, &RandomCluster::happenings, fails);
    goes_on = drop_queues(cluster, fails) || goes_on;
    goes_on = drop_some(cluster, &RandomCluster::holders, fails) || goes_on;
    goes_on = drop_some(cluster, &RandomCluster::incoming, fails) || goes_on;
    goes_on = drop_quotas_of_cohorts(cluster, fails) || goes_on;
  }
  return cluster;
}

}  // namespace stockout::test::by_the_book
