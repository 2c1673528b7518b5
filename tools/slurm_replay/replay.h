#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/orchestrators/slurm/configuration.h"
#include "sim/core/time.h"
#include "tools/slurm_replay/job_list.h"
#include "tools/slurm_replay/power_plan.h"

namespace stockout::slurm {

/// Fate of a job of a list, or of a task of it ("7_3").
struct PlayedJob {
  std::string id;
  SimTime submit{};
  std::optional<SimTime> start = std::nullopt;  // the last one; none: it never had room
  std::optional<SimTime> end = std::nullopt;
  int restarts = 0;
  bool timed_out = false;
  std::vector<NodeIndex> nodes = {};  // of the last start

  /// Until the last start.
  [[nodiscard]] SimDuration wait() const { return *start - submit; }
};

/// Plays the jobs through Slurm alone, to the end of the last. A job that is preempted stops at once, and
/// runs from the beginning when it starts again. At one instant jobs end before others come, and schedulers
/// work after that. Nodes that are off come up as the plan says, and at once without one. Jobs that no
/// partition could ever hold never start.
[[nodiscard]] std::vector<PlayedJob> replay(const Configuration& configuration,
                                            const std::vector<ListedJob>& jobs, const PowerPlan& plan = {});

}  // namespace stockout::slurm
