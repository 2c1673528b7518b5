#pragma once

#include <vector>

#include "models/scenario/workload/workload.h"

namespace stockout {

/// Poisson, schedule or steps of pipelines. Needs the window.
[[nodiscard]] SyntheticDemand build_synthetic(Draft& draft, const SourceTerms& source);

/// 00:00 local of the week's Monday at the start: where hour 0 of a weekly profile lies.
[[nodiscard]] SimTime first_monday(const Calendar& calendar);

/// How far clocks are ahead of those at the start, between two instants: empty if they never change.
[[nodiscard]] std::vector<ClockShift> clock_shifts(const Calendar& calendar, SimTime from, SimTime to);

}  // namespace stockout
