#pragma once

#include <string>

#include "models/experiment/summary.h"
#include "tools/table/relation.h"

namespace stockout {

/// A measure in files, with all that may stand beside it.
[[nodiscard]] Column measure_column(Measure measure);

/// A measure for people under a title, written as its unit asks for.
[[nodiscard]] Column shown_column(Measure measure, std::string title);

/// A measure of a strategy that was run so many times.
[[nodiscard]] Cell measure_cell(const Summary& summary, std::size_t replications_run);

}  // namespace stockout
