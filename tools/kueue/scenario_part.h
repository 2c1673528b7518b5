#pragma once

#include <string>
#include <vector>

#include "models/orchestrators/kueue/configuration.h"
#include "tools/kueue/fewer_pods.h"

namespace stockout::kueue {

/// A cluster's queues as the key `kueue` of a scenario.
struct ScenarioPart {
  std::string json;                   // {"kueue": {...}}
  bool is_usable = true;              // a local queue leads to a cluster queue with GPUs
  std::vector<std::string> left_out;  // what of them a scenario has not, and why, one line each
};

/// Quotas are those of "nvidia.com/gpu". A queue without them is left out, with what leads to it.
/// `fewer_pods` become entries of `partial_admission`, by class.
[[nodiscard]] ScenarioPart scenario_part(const Configuration& cluster,
                                         const FewerPodsByClass& fewer_pods = {});

}  // namespace stockout::kueue
