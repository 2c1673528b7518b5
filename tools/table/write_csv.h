#pragma once

#include <string>

#include "tools/table/relation.h"

namespace stockout {

/// The keys of its columns, then a line a row. A column is followed by those of its half-widths, replications
/// and bounds, where it says that it has them. A field is empty where there is nothing; a truth is 1
/// or 0; numbers are exact.
[[nodiscard]] std::string write_csv(const Relation& relation);

}  // namespace stockout
