#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "models/orchestrators/kueue/kueue.h"

namespace stockout::test {

using namespace kueue;

/// Quota of GPUs in flavors, in the order in which they are tried.
inline std::vector<ResourceGroup> gpus(std::initializer_list<std::pair<std::string, Quota>> flavors) {
  std::vector<ResourceGroup> groups(1);
  for (const auto& [flavor, quota] : flavors) {
    groups.front().flavors.push_back({.flavor = flavor, .quotas = {{"gpu", quota}}});
  }
  return groups;
}

inline Quota nominal(std::int64_t count) { return {.nominal = Amount{count}}; }

/// A cluster queue with some GPUs of the flavor "a".
inline ClusterQueue queue_of(const std::string& name, const std::string& cohort, Quota quota) {
  return {.name = name, .cohort = cohort, .groups = gpus({{"a", quota}})};
}

/// Queues with a local queue each, of the same name, and the flavors that they name.
inline Configuration cluster_of(const std::vector<ClusterQueue>& queues,
                                const std::vector<Cohort>& cohorts = {}) {
  Configuration all;
  for (const Cohort& cohort : cohorts) all.cohorts[cohort.name] = cohort;
  for (const ClusterQueue& queue : queues) {
    all.cluster_queues[queue.name] = queue;
    all.local_queues[queue.name] = {.name = queue.name, .cluster_queue = queue.name};
    for (const ResourceGroup& group : queue.groups) {
      for (const FlavorQuotas& flavor : group.flavors) {
        all.flavors.try_emplace(flavor.flavor, ResourceFlavor{.name = flavor.flavor});
      }
    }
  }
  return all;
}

/// A workload of one pod for a queue; `created` in seconds.
inline Workload job(const std::string& queue, std::int64_t gpus, std::int32_t priority = 0,
                    std::int64_t created = 0) {
  return {
      .name = queue,
      .created = kStart + std::chrono::seconds{created},
      .spec = {
          .local_queue = queue, .priority = priority, .pod_sets = {{.requests = {{"gpu", Amount{gpus}}}}}}};
}

/// Use of the GPUs of "a" by a node.
inline std::int64_t used(const Kueue& kueue, const std::string& queue) {
  std::int64_t sum = 0;
  for (const WorkloadId id : kueue.ledger().held_in(queue)) {
    for (const PodSetAdmission& pods : kueue.workload(id).status.admission->pod_sets) {
      const auto amount = pods.usage.find("gpu");
      sum += amount == pods.usage.end() ? 0 : amount->second.count();
    }
  }
  return sum;
}

}  // namespace stockout::test
