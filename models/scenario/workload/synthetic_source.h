#pragma once

#include <span>
#include <vector>

#include "models/scenario/workload/workload.h"

namespace stockout {

/// The people of sources that say the same `user_names`: as many as the one with most of them has.
void add_shared_users(Draft& draft, std::span<const SourceTerms> terms);

/// Poisson, schedule or steps of pipelines. Needs the window, and add_shared_users().
[[nodiscard]] SyntheticDemand build_synthetic(Draft& draft, const SourceTerms& source);

/// 00:00 local of the week's Monday at the start: where hour 0 of a weekly profile lies.
[[nodiscard]] SimTime first_monday(const Calendar& calendar);

/// How far clocks are ahead of those at the start, between two instants: empty if they never change.
[[nodiscard]] std::vector<ClockShift> clock_shifts(const Calendar& calendar, SimTime from, SimTime to);

}  // namespace stockout
