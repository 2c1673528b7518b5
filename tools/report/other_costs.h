#pragma once

#include <string>

#include "tools/report/report.h"

namespace stockout {

/// What each strategy pays beside machines, a line each; empty if the scenario has no other costs.
[[nodiscard]] std::string write_other_costs(const Report& report, const TextLayout& layout);

}  // namespace stockout
