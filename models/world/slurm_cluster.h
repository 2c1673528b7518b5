#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/orchestrators/slurm/configuration.h"
#include "models/orchestrators/slurm/job.h"
#include "models/workload/jobs.h"
#include "models/world/some_jobs.h"

namespace stockout {

/// Options of sbatch for some jobs.
struct SlurmOptions {
  SomeJobs jobs = {};
  std::optional<SimDuration> time_limit = std::nullopt;  // none: the estimate, or that of the partition
  std::optional<slurm::QosIndex> qos = std::nullopt;     // none: no quality of service
  std::vector<std::uint32_t> associations = {};          // by UserId; empty: no account
};

/// Slurm in the planner's cluster: what its administrator has set up. A leg names one of its partitions
/// (Leg::partition), and all nodes of a partition are machines of such legs. CPUs of nodes and jobs are
/// counted in GPUs. A node with power saving (slurm::Node::cloud) exists while a job has it.
struct SlurmCluster {
  slurm::Configuration configuration;
  std::vector<SlurmOptions> options = {};       // a job has those of the first that has it; else none
  SimDuration sync = std::chrono::seconds{30};  // between two looks at nodes that are DOWN

  /// The partition of that name, which there must be.
  [[nodiscard]] slurm::PartitionIndex partition_of(const std::string& name) const;
  /// Those of a job; nullptr: it has none.
  [[nodiscard]] const SlurmOptions* options_of(ClassId job_class, UserId user) const;
  /// The name of the account that its options give a job; empty: none.
  [[nodiscard]] std::string_view account_of(ClassId job_class, UserId user) const;
  /// The request to Slurm on behalf of the job: as many nodes as it has, all as large as the first. Its
  /// `estimate` is its time limit if its options have none; for ever: it says none.
  [[nodiscard]] slurm::JobRequest request_of(const Job& job, const Shape& shape, SimDuration estimate,
                                             std::vector<slurm::PartitionIndex> partitions) const;
};

}  // namespace stockout
