#pragma once

#include <string>
#include <string_view>

namespace stockout {

/// A text as a field of a CSV file: in quotes, with quotes doubled, if it holds a comma, a quote or a line
/// break.
[[nodiscard]] inline std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string{text};
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace stockout
