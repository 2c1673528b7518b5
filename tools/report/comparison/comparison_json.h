#pragma once

#include <string>

#include "tools/report/comparison/report.h"

namespace stockout {

/// Everything there is. README.md of tools/report gives the layout.
[[nodiscard]] std::string comparison_json(const Report& report);

}  // namespace stockout
