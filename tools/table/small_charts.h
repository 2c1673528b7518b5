#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stockout {

/// One part of a bar and the sign it is drawn with.
struct BarPart {
  double value = 0;  // not negative
  char sign = '#';   // where there are only ASCII characters
  std::string_view block = "█";
};

/// A bar of parts one after another, `columns` wide if they sum to `full`. A bar of something is never
/// empty; the ends of parts are rounded to whole columns, so that parts keep their places.
[[nodiscard]] std::string bar_of(std::span<const BarPart> parts, double full, std::size_t columns, bool utf8);

/// A character for each value, as tall as it is against the largest; the lowest only for nothing at all.
[[nodiscard]] std::string sparkline(std::span<const double> values, bool utf8);

/// How many of the times lie in each of `columns` equal parts of the span from the first to the last. They
/// are in order, at least one.
[[nodiscard]] std::vector<double> counts_over_span(std::span<const std::int64_t> times, std::size_t columns);

}  // namespace stockout
