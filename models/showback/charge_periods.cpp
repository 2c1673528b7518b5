#include "models/showback/charge_periods.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout {
namespace {

constexpr std::int64_t kHoursOfDay = 24;

SimDuration offset_at_start(const World& world) {
  const auto after = std::ranges::upper_bound(world.utc_offsets, kStart, {}, &OffsetStep::at);
  return after == world.utc_offsets.begin() ? SimDuration{} : std::prev(after)->offset;
}

}  // namespace

ChargePeriods::ChargePeriods(const World& world, PeriodLength length)
    : length_{length}, local_start_{world.start_date + offset_at_start(world)} {}

HourSpan ChargePeriods::of(std::int64_t hour) const {
  STOCKOUT_CHECK(hour >= 0);
  if (length_ == PeriodLength::hour) return {.from = hour, .to = hour + 1};
  if (length_ == PeriodLength::month) return month_of(hour);
  const std::int64_t from = hour / kHoursOfDay * kHoursOfDay;
  return {.from = from, .to = from + kHoursOfDay};
}

HourSpan ChargePeriods::month_of(std::int64_t hour) const {
  using std::chrono::days;
  using std::chrono::floor;
  using std::chrono::hours;
  using std::chrono::year_month_day;
  const year_month_day day{floor<days>(local_start_ + hours{hour})};
  const auto month = day.year() / day.month();
  const auto hours_to = [&](std::chrono::year_month which) {
    const std::chrono::sys_days first{which / std::chrono::day{1}};
    return floor<hours>(first - local_start_).count();
  };
  return {.from = hours_to(month), .to = hours_to(month + std::chrono::months{1})};
}

}  // namespace stockout
