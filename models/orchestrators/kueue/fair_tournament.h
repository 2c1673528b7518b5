#pragma once

#include <cstddef>
#include <vector>

#include "models/orchestrators/kueue/cycle.h"

namespace stockout::kueue {

/// Which head is handled next with fair sharing, by its place in `entries`, of which there is at least one.
/// In each cohort the winners of its children compete: who waits for victims (with a gate), who borrows
/// nothing of what it asks for, who has the smaller share with it, then priority, then time. Kueue leaves
/// open which tree of cohorts comes first; here the one of the first entry does.
[[nodiscard]] std::size_t tournament_winner(const Scene& scene, const std::vector<Entry>& entries);

}  // namespace stockout::kueue
