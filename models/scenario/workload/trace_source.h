#pragma once

#include "models/scenario/workload/workload.h"

namespace stockout {

/// Reads the file, makes its jobs columns.
[[nodiscard]] TraceDemand build_trace(Draft& draft, const SourceTerms& source);

/// The last submission of a trace's demand, resampled or not; 1 ms later is the end of the default window.
[[nodiscard]] SimTime last_submit(const TraceDemand& demand);

/// Leaves out jobs outside the window, with a warning. Needs the window.
void cut_to_window(Draft& draft, const SourceTerms& source, TraceDemand& demand);

}  // namespace stockout
