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

/// How old a price of that day ("2025-03-15") is on another, in days; none if one of them is unknown.
[[nodiscard]] std::optional<int> age_on(const std::optional<Date>& day, const std::string& as_of);

}  // namespace stockout
