#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/provisioning.h"
#include "models/orchestrators/kueue/settings.h"
#include "models/workload/jobs.h"
#include "models/world/some_jobs.h"
#include "sim/core/ids.h"

namespace stockout {

/// The resource of which Kueue's quotas are here, in GPUs.
inline constexpr const char* kKueueResource = "nvidia.com/gpu";
/// The label of a flavor's nodes, with its name: a job demands it of the flavors that it may have.
inline constexpr const char* kKueueFlavorLabel = "stockout/flavor";

/// Which jobs a local queue takes.
struct KueueEntrance {
  std::string local_queue;
  SomeJobs jobs = {};
};

/// Kueue in the planner's Kubernetes cluster: what its administrator has set up. Flavors are those that legs
/// name (Leg::flavor).
struct KueueCluster {
  kueue::Configuration objects;
  kueue::Settings settings;
  std::map<std::string, kueue::ProvisioningRetry> checks = {};  // requests for capacity, by admission check
  std::vector<KueueEntrance> entrances = {};                    // a job goes to the first that takes it

  /// The local queue of the job, which there must be.
  [[nodiscard]] const std::string& local_queue_of(const Job& job) const {
    return local_queue_of(job.job_class, job.user);
  }
  [[nodiscard]] const std::string& local_queue_of(ClassId job_class, UserId user) const;
  /// The cluster queue behind it.
  [[nodiscard]] const kueue::ClusterQueue& cluster_queue_of(ClassId job_class, UserId user) const;
};

/// What Kueue is asked for on behalf of the job: a pod for each node, on nodes of these flavors. A gang of
/// unequal nodes is one pod, so that all of it gets one flavor.
[[nodiscard]] kueue::Workload workload_of(const KueueCluster& cluster, const Job& job, const Shape& shape,
                                          const JobClass& job_class, const std::vector<std::string>& flavors);

}  // namespace stockout
