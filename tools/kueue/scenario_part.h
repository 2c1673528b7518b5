#pragma once

#include <string>
#include <vector>

#include "tools/kueue/cluster_import.h"

namespace stockout::kueue {

/// A cluster's queues as the key `kueue` of a scenario.
struct ScenarioPart {
  std::string json;                   // {"kueue": {...}}
  bool is_usable = true;              // a local queue leads to a cluster queue with GPUs
  std::vector<std::string> left_out;  // what of them a scenario has not, and why, one line each
};

/// Quotas are those of "nvidia.com/gpu". A queue without them is left out, with what leads to it.
/// `fewer_pods` become entries of `partial_admission`, by class. Checks are tried again as `checks` say.
[[nodiscard]] ScenarioPart scenario_part(const ImportedCluster& cluster);

}  // namespace stockout::kueue
