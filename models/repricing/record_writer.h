#pragma once

#include <string>

#include "models/repricing/stored_comparison.h"

namespace stockout {

/// The comparison as the bytes of an SQLite file, which read_record() reads. Equal comparisons have equal
/// bytes. Throws std::bad_alloc if it does not fit into memory.
[[nodiscard]] std::string record_bytes(const StoredComparison& comparison);

}  // namespace stockout
