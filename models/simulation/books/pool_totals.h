#pragma once

#include <cstdint>
#include <vector>

#include "models/record/run_record.h"
#include "models/simulation/books/pool_state.h"

namespace stockout {

// What the pools of a run come to.

/// The window begins: totals count from now on.
void clear_totals(std::vector<PoolState>& pools);
/// Requests that were granted, refused or withdrawn, warm-up included.
[[nodiscard]] std::uint64_t requests_ended(const std::vector<PoolState>& pools);
/// When the run ends, by PoolId.
[[nodiscard]] std::vector<PoolTotals> totals_of(const std::vector<PoolState>& pools, SimTime end);

}  // namespace stockout
