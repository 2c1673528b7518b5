#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/workload/speed.h"

namespace stockout {

/// Value of a cell in a column of our own CSV, or nothing if it cannot be read.

/// "H100-80GB|A100-80GB": GPU types on which a job runs, each once.
[[nodiscard]] std::optional<std::vector<std::string>> parse_gpu_types(std::string_view text);

/// "H100-80GB=2.2|L4=0.18": speeds of GPU types, each once, from 0.001 to 1,000, to a millionth.
[[nodiscard]] std::optional<std::vector<GpuSpeed>> parse_speeds(std::string_view text);

/// "40" or "22.5": GB, more than 0 and at most 1,000,000, to a thousandth.
[[nodiscard]] std::optional<double> parse_gpu_memory(std::string_view text);

}  // namespace stockout
