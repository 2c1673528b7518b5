#pragma once

#include <string>

#include "models/workload/trace.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// The GPU and machine types that a trace names, whether the built-in catalogue has them, and what to write
/// in a scenario for those that it has not; empty where the trace names none.
[[nodiscard]] std::string trace_types(const Trace& trace, const TextLayout& layout);

}  // namespace stockout
