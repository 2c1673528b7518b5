#pragma once

#include <string>

#include "models/repricing/stored_comparison.h"

namespace stockout {

/// The comparison as the bytes of an SQLite file. Equal comparisons have equal bytes. Throws std::bad_alloc
/// if it does not fit into memory.
[[nodiscard]] std::string record_bytes(const StoredComparison& comparison);

/// Reads such a file, and checks that its use at its own prices gives its own costs. Throws InputError for a
/// file that is none, that is damaged, of another layout, or not consistent.
[[nodiscard]] StoredComparison read_record(const std::string& path);

}  // namespace stockout
