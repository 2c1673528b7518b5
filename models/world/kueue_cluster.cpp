#include "models/world/kueue_cluster.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout {

const std::string& KueueCluster::local_queue_of(ClassId job_class, UserId user) const {
  const auto entrance = std::ranges::find_if(
      entrances, [&](const KueueEntrance& each) { return each.jobs.has(job_class, user); });
  STOCKOUT_CHECK(entrance != entrances.end(), "no local queue takes a job");
  return entrance->local_queue;
}

const kueue::ClusterQueue& KueueCluster::cluster_queue_of(ClassId job_class, UserId user) const {
  const std::string& local = local_queue_of(job_class, user);
  return objects.cluster_queues.at(objects.local_queues.at(local).cluster_queue);
}

kueue::Workload workload_of(const KueueCluster& cluster, const Job& job, const Shape& shape,
                            const JobClass& job_class, const std::vector<std::string>& flavors) {
  const bool is_even = shape.tail_gpus == 0;
  kueue::PodSet pods{.count = is_even ? shape.nodes : 1};
  pods.requests[kKueueResource] = kueue::Amount{is_even ? shape.gpus_per_node : shape.gpus().count()};
  pods.nodes.terms = {{{.key = kKueueFlavorLabel, .op = "In", .values = flavors}}};
  kueue::Workload workload;
  workload.spec.local_queue = cluster.local_queue_of(job);
  workload.spec.priority = job_class.priority;
  workload.spec.pod_sets = {std::move(pods)};
  return workload;
}

}  // namespace stockout
