#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "models/world/world.h"

namespace stockout {

/// How long a charge period is.
enum class PeriodLength : std::uint8_t { hour, day, month };
inline constexpr std::array<std::string_view, 3> kPeriodLengthNames{"hour", "day", "month"};

/// Hours from kStart, the last not in it.
struct HourSpan {
  std::int64_t from = 0;
  std::int64_t to = 0;
  friend bool operator==(const HourSpan&, const HourSpan&) = default;
};

/// Hours of a run by charge period. Days are 24 hours from kStart. Months are those of the calendar, by the
/// clock that local time has at kStart: a change to or from summer time moves neither.
class ChargePeriods {
 public:
  ChargePeriods(const World& world, PeriodLength length);

  /// The period of an hour from kStart, 0 or later. A month may begin before kStart.
  [[nodiscard]] HourSpan of(std::int64_t hour) const;

 private:
  [[nodiscard]] HourSpan month_of(std::int64_t hour) const;

  PeriodLength length_;
  std::chrono::sys_time<std::chrono::milliseconds> local_start_;  // what clocks show at kStart
};

}  // namespace stockout
