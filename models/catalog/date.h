#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace stockout {

/// A day of the calendar, from 1990-01-01 to 2199-12-31.
using Date = std::chrono::sys_days;

/// Form that parse_date() takes, for messages.
inline constexpr std::string_view kDayForm = "a day from 1990-01-01 to 2199-12-31, such as 2026-07-30";

/// The day "2026-07-30" names. Nothing if the text is anything else: another order or length, 30 February,
/// the year 1900.
[[nodiscard]] std::optional<Date> parse_date(std::string_view text);

/// "2026-07-30".
[[nodiscard]] std::string to_text(Date date);

}  // namespace stockout
