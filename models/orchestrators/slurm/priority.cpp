#include "models/orchestrators/slurm/priority.h"

#include <algorithm>
#include <limits>

namespace stockout::slurm {
PriorityCalculator::PriorityCalculator(const Cluster& cluster, const FairTree& shares)
    : cluster_{cluster}, shares_{shares} {
  for (const Node& node : cluster.configuration.nodes) cpus_ += node.cpus;
  for (const Partition& partition : cluster.configuration.partitions) {
    highest_job_factor_ = std::max(highest_job_factor_, partition.priority_job_factor);
  }
  for (const Qos& qos : cluster.configuration.qos) highest_qos_ = std::max(highest_qos_, qos.priority);
}

bool PriorityCalculator::changes() const {
  const PriorityParameters& parameters = cluster_.settings().priority;
  return parameters.type == PriorityType::multifactor &&
         (parameters.weights.age > 0 || parameters.weights.fair_share > 0);
}

double PriorityCalculator::age_factor(const Job& job, SimTime at) const {
  const SimDuration max_age = cluster_.settings().priority.max_age;
  if (job.eligible >= at || max_age <= SimDuration{}) return 0;
  return std::min(
      1.0, in_seconds(at - cluster_.round_down(job.eligible, std::chrono::seconds{1})) / in_seconds(max_age));
}

double PriorityCalculator::size_factor(const Job& job, PartitionIndex partition) const {
  const PriorityParameters& parameters = cluster_.settings().priority;
  const auto all_nodes = static_cast<double>(cluster_.configuration.nodes.size());
  const auto all_cpus = static_cast<double>(cpus_);
  const double nodes = job.request.size.nodes;
  const double cpus = nodes * std::max(job.request.size.cpus_per_node, 1);
  if (parameters.size_relative_to_time) {
    const double minutes = std::max(1.0, in_seconds(cluster_.limit_of(job, partition)) / 60);
    const double share = std::max(cpus, nodes * all_cpus / all_nodes) / minutes / all_cpus;
    return std::clamp(parameters.favor_small ? 1 - share : share, 0.0, 1.0);
  }
  const double share = parameters.favor_small
                           ? ((all_nodes - nodes) / all_nodes + (all_cpus - cpus) / all_cpus) / 2
                           : (nodes / all_nodes + cpus / all_cpus) / 2;
  return std::clamp(share, 0.0, 1.0);
}

// Summed up in the order of Slurm, so that it is cut to the same number.
std::uint32_t PriorityCalculator::of(const Job& job, PartitionIndex partition, SimTime at) const {
  if (job.request.priority) return *job.request.priority;
  const PriorityParameters& parameters = cluster_.settings().priority;
  if (parameters.type == PriorityType::basic) return 1;
  const PriorityWeights& weights = parameters.weights;
  double sum = weights.age * age_factor(job, at);
  if (job.request.user) sum += weights.fair_share * shares_.factor(*job.request.user);
  sum += weights.job_size * size_factor(job, partition);
  sum += weights.partition *
         (static_cast<double>(cluster_.configuration.partitions[partition].priority_job_factor) /
          static_cast<double>(highest_job_factor_));
  if (job.request.qos && highest_qos_ > 0) {
    sum += weights.qos * (static_cast<double>(cluster_.configuration.qos[*job.request.qos].priority) /
                          static_cast<double>(highest_qos_));
  }
  sum -= static_cast<double>(job.request.nice);
  return static_cast<std::uint32_t>(
      std::clamp(sum, 1.0, static_cast<double>(std::numeric_limits<std::uint32_t>::max())));
}

}  // namespace stockout::slurm
