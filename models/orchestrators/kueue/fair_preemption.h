#pragma once

#include <vector>

#include "models/orchestrators/kueue/preemption.h"

namespace stockout::kueue {

/// The victims of a claim with fair sharing. find_victims() takes the way of the settings.
[[nodiscard]] std::vector<Victim> fair_victims(const Scene& scene, const Claim& claim);

}  // namespace stockout::kueue
