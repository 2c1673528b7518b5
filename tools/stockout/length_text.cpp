#include "tools/stockout/length_text.h"

#include <fmt/format.h>

namespace stockout {

std::string length_text(double ms) {
  constexpr double kSecond = 1000;
  constexpr double kMinute = 60 * kSecond;
  constexpr double kHour = 60 * kMinute;
  constexpr double kDay = 24 * kHour;
  if (ms < 2 * kMinute) return fmt::format("{:.4g} s", ms / kSecond);
  if (ms < 2 * kHour) return fmt::format("{:.1f} min", ms / kMinute);
  if (ms < 2 * kDay) return fmt::format("{:.1f} h", ms / kHour);
  return fmt::format("{:.1f} days", ms / kDay);
}

std::string length_text(SimDuration length) { return length_text(static_cast<double>(length.count())); }

}  // namespace stockout
