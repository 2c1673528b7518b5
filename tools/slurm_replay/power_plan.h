#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/time.h"
#include "tools/slurm_replay/conf_reader.h"

namespace stockout::slurm {

/// What becomes of a node that is asked to power up.
struct PowerUp {
  std::optional<SimDuration> boot = std::nullopt;  // since the request: it is up; none: it never is
  std::optional<SimDuration> down =
      std::nullopt;  // since the request: it is set DOWN; none: by ResumeTimeout
  std::optional<SimDuration> back = std::nullopt;  // since it is DOWN: it may be asked again; none: never
};

/// By node: its power-ups, one after another, and then again from the first. None: it is up at once.
using PowerPlan = std::vector<std::vector<PowerUp>>;

/// Reads a comma-separated file with the columns `node` (names as slurm.conf has them), `boot`, `down` and
/// `back`, in seconds. Throws InputError with file and line.
[[nodiscard]] PowerPlan read_power_plan(const std::string& file, const ClusterFile& cluster);

}  // namespace stockout::slurm
