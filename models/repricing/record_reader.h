#pragma once

#include <string>

#include "models/repricing/stored_comparison.h"

namespace stockout {

/// Reads a file of what record_bytes() makes, and checks that its use at its own prices gives its own costs.
/// Throws InputError for a file that is none, that is damaged, of another layout, or not consistent.
[[nodiscard]] StoredComparison read_record(const std::string& path);

}  // namespace stockout
