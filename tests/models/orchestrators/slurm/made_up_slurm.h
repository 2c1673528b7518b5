#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/orchestrators/slurm/slurm.h"
#include "tools/slurm_replay/replay.h"

namespace stockout::test {

using namespace slurm;

/// Equal nodes in one partition of whole nodes.
inline Configuration cluster_of(int nodes, int cpus = 1, int gpus = 0) {
  Configuration made;
  made.partitions.push_back({.name = "all", .nodes = {}});
  for (int i = 0; i < nodes; ++i) {
    made.nodes.push_back({.name = "n" + std::to_string(i), .cpus = cpus, .gpus = gpus});
    made.partitions.front().nodes.push_back(static_cast<NodeIndex>(i));
  }
  return made;
}

inline Configuration with_backfill(Configuration made, Backfill backfill) {
  made.settings.backfill_type = backfill;
  return made;
}

inline SimDuration sec(double seconds) { return SimDuration{static_cast<std::int64_t>(seconds * 1000)}; }

/// A job that comes at `submit` and runs for `length`, all in seconds.
inline ListedJob listed(double submit, int nodes, double limit, double length) {
  ListedJob job;
  job.submit = kStart + sec(submit);
  job.run_time = sec(length);
  job.request.size.nodes = nodes;
  job.request.time_limit = sec(limit);
  return job;
}

/// When the jobs start for the last time, in seconds; -1: never.
inline std::vector<double> starts_of(const Configuration& cluster, const std::vector<ListedJob>& jobs) {
  std::vector<double> starts;
  for (const PlayedJob& job : replay(cluster, jobs)) {
    starts.push_back(job.start ? static_cast<double>((*job.start - kStart).count()) / 1000 : -1);
  }
  return starts;
}

using Starts = std::vector<double>;

}  // namespace stockout::test
