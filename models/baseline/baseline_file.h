#pragma once

#include <string>
#include <string_view>

#include "models/baseline/baseline.h"

namespace stockout {

/// Reads a baseline file. Throws InputError with file, line and JSON pointer for anything that
/// write_baseline() does not write: another layout, an unknown key, a number out of range, a name twice.
[[nodiscard]] Baseline read_baseline(const std::string& path);

/// The same for a text that is there already; `file` names it.
[[nodiscard]] Baseline parse_baseline(std::string_view text, const std::string& file);

/// The file's text: README.md of this folder gives the layout. Every number reads back as the same bits.
[[nodiscard]] std::string write_baseline(const Baseline& baseline);

}  // namespace stockout
