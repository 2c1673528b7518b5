#pragma once

#include <string>
#include <vector>

#include "models/orchestrators/slurm/configuration.h"
#include "tools/slurm_replay/conf_line.h"

namespace stockout::slurm {

/// Reads a key of slurm.conf that stands for the whole cluster, if it is one that is modelled: whether it is.
/// Words of SchedulerParameters, PriorityFlags and the like that are not go to `not_modelled`.
bool read_scheduler_key(const ConfField& field, Settings& settings, std::vector<std::string>& not_modelled);

/// Reads a key of a partition, if it is one that is modelled: whether it is. `settings`: the cluster's.
bool read_partition_key(const ConfField& field, Partition& partition, const Settings& settings);

/// Reads what PreemptMode is.
[[nodiscard]] PreemptMode read_preempt_mode(const ConfField& field);

}  // namespace stockout::slurm
