#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/repricing/stored_comparison.h"

namespace stockout {

/// Lines of a record under whose prices anything was used, one for each machine, model and region, in its
/// order.
[[nodiscard]] std::vector<std::size_t> used_lines(const StoredComparison& record);

/// Dollars for a machine-hour.
[[nodiscard]] double usd_of(MachineHourPrice price);

}  // namespace stockout
