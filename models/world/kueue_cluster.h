#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
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

/// Which jobs may be admitted with fewer pods than they ask for (Kueue's partial admission, minCount).
struct PartialAdmission {
  SomeJobs jobs = {};
  std::int32_t min_count = 0;      // pods; 0: min_share_ppm says how many
  std::int32_t min_share_ppm = 0;  // of the pods asked for, rounded up

  /// The fewest pods of so many, which are at least 1: from 1 to all of them.
  [[nodiscard]] std::int32_t least_of(std::int32_t pods) const;
};

/// How much of a resource beside GPUs the pods of some jobs ask for. Thousandths of a CPU, bytes of memory,
/// thousandths of anything else.
struct PodRequest {
  SomeJobs jobs = {};
  std::string resource;
  kueue::Amount per_gpu;  // of each GPU of a pod
};

/// Kueue in the planner's Kubernetes cluster: what its administrator has set up. Flavors are those that legs
/// name (Leg::flavor).
struct KueueCluster {
  kueue::Configuration objects;
  kueue::Settings settings;
  std::map<std::string, kueue::ProvisioningRetry> checks = {};  // requests for capacity, by admission check
  std::vector<KueueEntrance> entrances = {};                    // a job goes to the first that takes it
  std::vector<PartialAdmission> partial = {};                   // the first that has a job counts
  std::vector<PodRequest> requests = {};  // of each resource the first that has a job counts
  std::map<std::pair<ShapeId, std::int64_t>, ShapeId> reduced = {};  // shapes with so many nodes instead

  /// The local queue of the job, which there must be.
  [[nodiscard]] const std::string& local_queue_of(const Job& job) const {
    return local_queue_of(job.job_class, job.user);
  }
  [[nodiscard]] const std::string& local_queue_of(ClassId job_class, UserId user) const;
  /// The cluster queue behind it.
  [[nodiscard]] const kueue::ClusterQueue& cluster_queue_of(ClassId job_class, UserId user) const;
  /// The fewest nodes with which a job of that shape may be admitted. A gang of unequal nodes gets all.
  [[nodiscard]] std::int32_t least_nodes(const Shape& shape, ClassId job_class, UserId user) const;
  /// Requests of a pod of so many GPUs, GPUs included.
  [[nodiscard]] kueue::Requests requests_of(std::int64_t gpus, ClassId job_class, UserId user) const;
  /// The shape of a job that asked for `whole` and was admitted with so many nodes, which there must be.
  [[nodiscard]] ShapeId shape_with(ShapeId whole, const Shape& asked, std::int64_t nodes) const;
};

/// A pod for each node of the shape, on nodes of these flavors. A gang of unequal nodes is one pod, so that
/// all of it gets one flavor.
[[nodiscard]] kueue::PodSet pods_of(const KueueCluster& cluster, const Job& job, const Shape& shape,
                                    const std::vector<std::string>& flavors);

/// Kueue's workload on behalf of the job: its pods, or fewer if that will do.
[[nodiscard]] kueue::Workload workload_of(const KueueCluster& cluster, const Job& job, const Shape& shape,
                                          const JobClass& job_class, const std::vector<std::string>& flavors);

}  // namespace stockout
