#pragma once

#include <string>

#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// One row a strategy and group, every measure with its half-width, then those of alternatives. README.md of
/// tools/report names the columns.
[[nodiscard]] Relation every_row(const Report& report);

/// The same as text.
[[nodiscard]] std::string comparison_csv(const Report& report);

}  // namespace stockout
