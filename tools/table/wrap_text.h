#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/table/text_layout.h"

namespace stockout {

/// Breaks a line at blanks so that no piece is wider than `width` columns, where words allow it. Every
/// piece begins with `indent`, and all but the first with two blanks more. Ends with a line break.
[[nodiscard]] std::string wrap_text(std::string_view text, std::size_t width, std::string_view indent);

/// A line of a list: set in by two blanks and wrapped to the page, or an item in Markdown.
[[nodiscard]] std::string list_line(std::string_view line, const TextLayout& layout);

/// A title and the lines of a list below it, parted from what is above; nothing without lines.
[[nodiscard]] std::string list_section(std::string_view title, const std::vector<std::string>& lines,
                                       const TextLayout& layout);

/// The columns that a text takes on a terminal: two for a wide character, none for one that combines with the
/// one before, one for any other and for a byte that is no UTF-8. As wcwidth() of the C library has it.
[[nodiscard]] std::size_t text_width(std::string_view text);

/// Cuts a text that is wider than `width` columns (at least 4) into pieces that are not, behind a blank or a
/// sign where there is one in the second half of a piece. All of them together are the text, but for blanks
/// at the cuts.
[[nodiscard]] std::vector<std::string> cut_to_width(std::string_view text, std::size_t width);

}  // namespace stockout
