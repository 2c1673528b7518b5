#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stockout {

/// What the header of a file of sacct lacks, all at once, and the command that exports it; "" if nothing.
[[nodiscard]] std::string wrong_sacct_header(std::span<const std::string_view> names);

/// Whether a line is one of sacct --parsable2 --noheader: what stands between its bars is no names.
[[nodiscard]] bool is_sacct_row(std::string_view line);

/// For such a file.
[[nodiscard]] std::string lacks_sacct_header();

}  // namespace stockout
