#pragma once

#include "tools/report/comparison/report.h"
#include "tools/table/relation.h"

namespace stockout {

/// One row a strategy and group, every measure with its half-width, then those of alternatives. README.md of
/// tools/report names the columns.
[[nodiscard]] Relation every_row(const Report& report);

}  // namespace stockout
