#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/orchestrators/slurm/job.h"
#include "sim/core/time.h"
#include "tools/slurm_replay/conf_reader.h"

namespace stockout::slurm {

/// A job as somebody submitted it, or an array of them, and how long it runs.
struct ListedJob {
  std::string id;
  SimTime submit{};
  SimDuration run_time{};
  std::uint32_t tasks = 0;  // of an array; 0: no array
  JobRequest request;       // its dependencies name places in the list, not yet numbers of jobs
};

/// Reads jobs from a comma-separated file. `id`, `submit`, `nodes`, `limit` and `runtime` must be there.
/// `cpus` and `gpus` (on each node), `partition`, `nice`, `priority`, `array` (number of tasks), `after` (id
/// of a job that must have ended), `exclusive` and `requeue` (0 or 1), `account`, `user` and `qos` need not.
/// Times are in seconds since the controller has started. Jobs are given in the order of submission. Throws
/// InputError with file and line.
[[nodiscard]] std::vector<ListedJob> read_job_list(const std::string& file, const ClusterFile& cluster);

}  // namespace stockout::slurm
