#pragma once

#include <string>
#include <string_view>

namespace stockout {

/// A text as a terminal can be shown it, whoever wrote it: control characters, characters that turn the
/// direction of the text behind them, and bytes that are no UTF-8 are written out, as \x1b.
[[nodiscard]] std::string printable(std::string_view text);

/// The same for a page of several lines, whose escape sequences that choose a colour stay.
[[nodiscard]] std::string printable_page(std::string_view page);

}  // namespace stockout
