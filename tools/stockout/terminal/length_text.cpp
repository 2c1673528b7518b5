#include "tools/stockout/terminal/length_text.h"

#include <fmt/format.h>

namespace stockout {

std::string length_text(double ms) {
  constexpr double kSecondMs = 1000;
  constexpr double kMinuteMs = 60 * kSecondMs;
  constexpr double kHourMs = 60 * kMinuteMs;
  constexpr double kDayMs = 24 * kHourMs;
  if (ms < 2 * kMinuteMs) return fmt::format("{:.4g} s", ms / kSecondMs);
  if (ms < 2 * kHourMs) return fmt::format("{:.1f} min", ms / kMinuteMs);
  if (ms < 2 * kDayMs) return fmt::format("{:.1f} h", ms / kHourMs);
  return fmt::format("{:.1f} days", ms / kDayMs);
}

std::string length_text(SimDuration length) { return length_text(static_cast<double>(length.count())); }

}  // namespace stockout
