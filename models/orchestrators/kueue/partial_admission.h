#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "models/orchestrators/kueue/flavor_assigner.h"

namespace stockout::kueue {

/// An assignment and whom it evicts.
struct Nomination {
  Assignment assignment = {};
  std::vector<Victim> victims = {};
};

/// Whether it can be had: it fits, or somebody can be evicted for it.
[[nodiscard]] bool is_admissible(const Nomination& nomination);

/// The nomination with the most pods that can be had, between the counts of the pod sets and their least
/// counts, all reduced in proportion. Nothing if no pod set has a least count, or if not even those can be
/// had.
[[nodiscard]] std::optional<Nomination> largest_admissible(
    const Workload& workload, const std::function<Nomination(const std::vector<std::int64_t>&)>& assign);

}  // namespace stockout::kueue
