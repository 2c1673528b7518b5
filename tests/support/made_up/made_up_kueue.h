#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/world/world.h"

namespace stockout::test {

/// So many GPUs of a flavor.
inline kueue::FlavorQuotas gpu_quota(const std::string& flavor, std::int64_t gpus) {
  return {.flavor = flavor, .quotas = {{kKueueResource, {.nominal = kueue::Amount{gpus}}}}};
}

/// Settings of a queue besides its flavors.
struct QueueSpec {
  std::vector<bool> classes = {};  // whose jobs its local queue takes; empty: all
  std::string cohort = {};
  kueue::PreemptionPolicy evicts_own = kueue::PreemptionPolicy::never;
  kueue::PreemptionPolicy reclaims = kueue::PreemptionPolicy::never;
  kueue::QueueingStrategy strategy = kueue::QueueingStrategy::best_effort_fifo;
};

/// A cluster queue of Kueue with these flavors, in order, and a local queue of its name.
inline kueue::ClusterQueue& add_queue(World& world, const std::string& name,
                                      std::vector<kueue::FlavorQuotas> flavors, const QueueSpec& spec = {}) {
  KueueCluster& cluster = world.kueue ? *world.kueue : world.kueue.emplace();
  for (const kueue::FlavorQuotas& each : flavors) {
    cluster.objects.flavors[each.flavor] = {.name = each.flavor,
                                            .labels = {{kKueueFlavorLabel, each.flavor}}};
  }
  cluster.objects.local_queues[name] = {.name = name, .cluster_queue = name};
  cluster.entrances.push_back({.local_queue = name, .jobs = {.classes = spec.classes, .users = {}}});
  kueue::ClusterQueue& queue = cluster.objects.cluster_queues[name];
  queue = {.name = name,
           .cohort = spec.cohort,
           .strategy = spec.strategy,
           .groups = {{.flavors = std::move(flavors)}},
           .preemption = {.within_queue = spec.evicts_own, .reclaim_within_cohort = spec.reclaims}};
  return queue;
}

/// A second class of jobs, which is more urgent than the first.
inline void add_urgent_class(World& world) {
  world.classes.resize(2);
  world.classes[1].priority = 10;
}

}  // namespace stockout::test
