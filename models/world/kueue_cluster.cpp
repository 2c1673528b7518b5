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

std::int32_t PartialAdmission::least_of(std::int32_t pods) const {
  const std::int64_t share = (std::int64_t{min_share_ppm} * pods + 999'999) / 1'000'000;
  const std::int64_t least = min_count > 0 ? min_count : share;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(least, 1, pods));
}

std::int32_t KueueCluster::least_nodes(const Shape& shape, ClassId job_class, UserId user) const {
  const auto found = std::ranges::find_if(
      partial, [&](const PartialAdmission& each) { return each.jobs.has(job_class, user); });
  const bool is_all = found == partial.end() || shape.tail_gpus > 0;
  return is_all ? shape.nodes : found->least_of(shape.nodes);
}

ShapeId KueueCluster::shape_with(ShapeId whole, const Shape& asked, std::int64_t nodes) const {
  return nodes == asked.nodes ? whole : reduced.at({whole, nodes});
}

kueue::Requests KueueCluster::requests_of(std::int64_t gpus, ClassId job_class, UserId user) const {
  kueue::Requests all{{kKueueResource, kueue::Amount{gpus}}};
  for (const PodRequest& each : requests) {
    if (each.jobs.has(job_class, user)) all.try_emplace(each.resource, each.per_gpu * gpus);
  }
  return all;
}

kueue::PodSet pods_of(const KueueCluster& cluster, const Job& job, const Shape& shape,
                      const std::vector<std::string>& flavors) {
  const bool is_even = shape.tail_gpus == 0;
  kueue::PodSet pods{.count = is_even ? shape.nodes : 1};
  const std::int64_t gpus = is_even ? shape.gpus_per_node : shape.gpus().count();
  pods.requests = cluster.requests_of(gpus, job.job_class, job.user);
  pods.nodes.terms = {{{.key = kKueueFlavorLabel, .op = "In", .values = flavors}}};
  return pods;
}

kueue::Workload workload_of(const KueueCluster& cluster, const Job& job, const Shape& shape,
                            const JobClass& job_class, const std::vector<std::string>& flavors) {
  kueue::PodSet pods = pods_of(cluster, job, shape, flavors);
  const std::int32_t least = cluster.least_nodes(shape, job.job_class, job.user);
  if (shape.tail_gpus == 0 && least < shape.nodes) pods.min_count = least;
  kueue::Workload workload;
  workload.spec.local_queue = cluster.local_queue_of(job);
  workload.spec.priority = job_class.priority;
  workload.spec.pod_sets = {std::move(pods)};
  return workload;
}

}  // namespace stockout
