#pragma once

#include <string>

#include "tools/slurm_replay/node_machine.h"
#include "tools/slurm_replay/scenario_values.h"

namespace stockout::slurm {

/// A cluster's configuration as the key `slurm` of a scenario.
struct SlurmPart {
  std::string json;  // {"slurm": {...}}
  LeftOut left_out;
};

/// Nodes that are always there become those of a reservation that has the name of their set; the scenario has
/// to have it. Nodes that power down (State=CLOUD) become machines of one type.
/// Throws InputError if no partition is left, or if it cannot be told which machine type nodes are: at their
/// line, with those that would do.
[[nodiscard]] SlurmPart scenario_part(const ClusterFile& cluster, const Catalog& catalog,
                                      const GivenMachines& given);

}  // namespace stockout::slurm
