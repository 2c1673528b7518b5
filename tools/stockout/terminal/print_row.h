#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace stockout {

/// A line of a listing: the label, and from column 20 on what it says.
template <typename... T>
void print_row(std::ostream& out, std::string_view label, fmt::format_string<T...> format, T&&... values) {
  fmt::print(out, "{:<20}{}\n", label, fmt::format(format, std::forward<T>(values)...));
}

}  // namespace stockout
