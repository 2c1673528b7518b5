#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "tools/table/text_layout.h"
#include "tools/table/wrap_text.h"

namespace stockout {

/// A line of a listing: the label, and from column 20 on what it says.
template <typename... T>
void print_row(std::ostream& out, std::string_view label, fmt::format_string<T...> format, T&&... values) {
  fmt::print(out, "{:<20}{}\n", label, fmt::format(format, std::forward<T>(values)...));
}

/// The same within the width of the layout: what does not fit goes on below, from column 22 on.
template <typename... T>
void print_row(std::ostream& out, const TextLayout& layout, std::string_view label,
               fmt::format_string<T...> format, T&&... values) {
  constexpr std::size_t kLabel = 20;
  const std::size_t room = std::max(layout.width, 2 * kLabel) - kLabel;
  const std::string text = wrap_text(fmt::format(format, std::forward<T>(values)...), room, "");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    fmt::print(out, "{:<20}{}\n", begin == 0 ? label : "", text.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace stockout
