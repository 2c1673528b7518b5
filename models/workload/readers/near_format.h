#pragma once

#include <string>

#include "models/workload/readers/trace_formats.h"

namespace stockout {

/// Of a beginning that fits no format: what it looks like, and what to do about it. Empty if it looks like
/// none of them.
[[nodiscard]] std::string near_format(const TraceHead& head);

}  // namespace stockout
