#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sim/core/time.h"
#include "sim/io/formula_text.h"

namespace stockout {

/// A text as a field of a CSV file: disarmed if a spreadsheet would run it; in quotes, with quotes doubled,
/// if it holds a comma, a quote or a line break.
[[nodiscard]] inline std::string csv_text(std::string_view text) {
  std::string safe = disarmed(text);
  if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// Seconds, exact: milliseconds are written as they are.
[[nodiscard]] inline std::string csv_seconds(SimDuration length) {
  const std::int64_t ms = length.count();
  const std::uint64_t size = ms < 0 ? 0 - static_cast<std::uint64_t>(ms) : static_cast<std::uint64_t>(ms);
  return fmt::format("{}{}.{:03}", ms < 0 ? "-" : "", size / 1000, size % 1000);
}

/// Since kStart.
[[nodiscard]] inline std::string csv_seconds(SimTime at) { return csv_seconds(at - kStart); }

/// An endless length is an empty field.
[[nodiscard]] inline std::string csv_seconds_or_nothing(SimDuration length) {
  return length == kForever ? "" : csv_seconds(length);
}

/// A row of a CSV file. `each_field` calls what it is given with each field in order, as csv_text() or a
/// number writes it.
template <typename EachField>
requires(!std::convertible_to<EachField, std::span<const std::string>>) [[nodiscard]] std::string
    csv_row(EachField each_field) {
  std::string line;
  each_field([&line](std::string_view field) {
    line += field;
    line += ',';
  });
  if (line.empty()) line += ',';
  line.back() = '\n';
  return line;
}

/// The same of fields that are all there.
[[nodiscard]] inline std::string csv_row(std::span<const std::string> fields) {
  return csv_row([fields](auto add) {
    for (const std::string& field : fields) add(field);
  });
}

}  // namespace stockout
