#pragma once

#include <string>
#include <string_view>

namespace stockout {

/// Notes and headlines are broken at this many characters.
inline constexpr std::size_t kPageWidth = 120;

/// Breaks a line at blanks so that no piece is longer than `width` characters, where words allow it. Every
/// piece begins with `indent`, and all but the first with two blanks more. Ends with a line break.
[[nodiscard]] std::string wrap_text(std::string_view text, std::size_t width, std::string_view indent);

/// A line of a list: set in by two blanks and wrapped to the page, or an item in Markdown.
[[nodiscard]] std::string list_line(std::string_view line, bool markdown);

/// Characters, not bytes: every byte of UTF-8 that does not continue a character begins one.
[[nodiscard]] std::size_t text_width(std::string_view text);

}  // namespace stockout
