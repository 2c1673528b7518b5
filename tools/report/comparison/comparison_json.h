#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/report/comparison/report.h"

namespace stockout {

/// Everything there is, below the head. README.md of tools/report gives the layout.
[[nodiscard]] nlohmann::ordered_json comparison_json(const Report& report);

}  // namespace stockout
