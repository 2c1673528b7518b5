#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/orchestrators/slurm/node_set.h"
#include "models/orchestrators/slurm/settings.h"
#include "sim/core/time.h"

namespace stockout::slurm {

/// A line of slurm.conf for one node.
struct Node {
  std::string name;
  int cpus = 1;
  int gpus = 0;             // Gres=gpu:N
  std::int64_t weight = 1;  // the lowest is taken first
  bool cloud = false;       // State=CLOUD: it is off until a job needs it, and power saving applies
};

/// A partition; partitions may share nodes.
struct Partition {
  std::string name;
  std::vector<NodeIndex> nodes;
  SimDuration max_time = kForever;                         // MaxTime, of a job's limit
  SimDuration default_time = kForever;                     // DefaultTime; for ever: max_time
  std::optional<int> max_nodes = std::nullopt;             // of a job; none: no limit
  int priority_tier = 1;                                   // partitions of a higher tier are tried first
  int priority_job_factor = 1;                             // of the partition factor of priorities
  bool exclusive = false;                                  // OverSubscribe=EXCLUSIVE: whole nodes only
  std::optional<PreemptMode> preempt_mode = std::nullopt;  // of its jobs as victims; none: the cluster's
  std::optional<PowerSave> power = std::nullopt;           // none: the cluster's
  bool power_down_on_idle = false;                         // nodes power down as soon as a job leaves
};

/// Number of a partition, a quality of service or a user in the configuration, from 0.
using PartitionIndex = std::uint32_t;
using QosIndex = std::uint32_t;
using UserIndex = std::uint32_t;

struct Qos {
  std::string name;
  std::uint32_t priority = 0;
  std::vector<QosIndex> preempts = {};                     // whose jobs its own may preempt
  std::optional<PreemptMode> preempt_mode = std::nullopt;  // of its jobs as victims; none: the cluster's
  double usage_factor = 1;                                 // of what its jobs use, for fair share
};

/// An account of the tree of shares, or a user, who is a leaf of it. Parents stand before their children.
struct Association {
  std::string name;
  std::optional<std::uint32_t> parent = std::nullopt;  // place in the list; none: below the root
  std::uint32_t shares = 1;
  bool is_user = false;
};

[[nodiscard]] constexpr double in_seconds(SimDuration length) {
  return static_cast<double>(length.count()) / 1000;
}

struct Configuration {
  std::vector<Node> nodes;
  std::vector<Partition> partitions;
  std::vector<Qos> qos = {};
  std::vector<Association> associations = {};
  Settings settings = {};
};

}  // namespace stockout::slurm
