#pragma once

#include "models/supply/availability.h"

namespace stockout {

/// The series as steps of capacity over [begin, for ever), the first at `begin`; `classes` is left to the
/// caller. `censored` marks the steps that came from a value at the cap (never with Means::any). Throws
/// InputError, naming the series' file, for rules that do not fit (no cap where one is needed), holes under
/// Holes::error, and a series that does not meet [begin, end] at all.
[[nodiscard]] CapacitySource to_capacity(const AvailabilitySeries& series, const CapacityRules& rules,
                                         const CapacitySpan& span);

}  // namespace stockout
