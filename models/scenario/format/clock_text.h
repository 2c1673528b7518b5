#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/core/time.h"

namespace stockout {

/// A stretch of the day, in time since midnight: from < to <= 24 h.
struct ClockSpan {
  SimDuration from{};
  SimDuration to{};
};

/// "18:00" as time since midnight, from "00:00" to "24:00". Nothing if the text is no such time.
[[nodiscard]] std::optional<SimDuration> parse_clock(std::string_view text);

/// The clock, or the span, that a text such as "7:00", "at 07:00" or "9:00 - 18:00" means. Empty: it means
/// none.
[[nodiscard]] std::string meant_clock(std::string_view text);
[[nodiscard]] std::string meant_clock_span(std::string_view text);

/// The most months of parse_months() that a window may have.
inline constexpr int kMostMonths = 400;

/// "3 months", "1 quarter", "2 years" as a number of months, from 1. Nothing if the text is no such length.
[[nodiscard]] std::optional<int> parse_months(std::string_view text);

/// "09:00-18:00". Nothing if it is no such span, or ends no later than it begins.
[[nodiscard]] std::optional<ClockSpan> parse_clock_span(std::string_view text);

}  // namespace stockout
