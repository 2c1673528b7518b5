#include "models/world/slurm_cluster.h"

#include <algorithm>
#include <utility>

#include "sim/core/check.h"

namespace stockout {

slurm::PartitionIndex SlurmCluster::partition_of(const std::string& name) const {
  const auto& all = configuration.partitions;
  const auto found = std::ranges::find(all, name, &slurm::Partition::name);
  STOCKOUT_CHECK(found != all.end(), "a leg names a partition that Slurm has not");
  return static_cast<slurm::PartitionIndex>(found - all.begin());
}

const SlurmOptions* SlurmCluster::options_of(ClassId job_class, UserId user) const {
  const auto found =
      std::ranges::find_if(options, [&](const SlurmOptions& each) { return each.jobs.has(job_class, user); });
  return found == options.end() ? nullptr : &*found;
}

std::string_view SlurmCluster::account_of(ClassId job_class, UserId user) const {
  const SlurmOptions* own = options_of(job_class, user);
  if (own == nullptr || own->associations.empty()) return {};
  const auto& all = configuration.associations;
  return all[*all[own->associations.at(index(user))].parent].name;
}

slurm::JobRequest SlurmCluster::request_of(const Job& job, const Shape& shape, SimDuration estimate,
                                           std::vector<slurm::PartitionIndex> partitions) const {
  slurm::JobRequest request{.size = {.nodes = shape.nodes + (shape.tail_gpus > 0 ? 1 : 0),
                                     .cpus_per_node = shape.gpus_per_node,
                                     .gpus_per_node = shape.gpus_per_node},
                            .time_limit = estimate,
                            .partitions = std::move(partitions)};
  const SlurmOptions* found = options_of(job.job_class, job.user);
  if (found == nullptr) return request;
  if (found->time_limit) request.time_limit = *found->time_limit;
  request.qos = found->qos;
  if (!found->associations.empty()) request.user = found->associations.at(index(job.user));
  return request;
}

}  // namespace stockout
