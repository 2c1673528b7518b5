#include "tests/support/reference/office_hours.h"

#include <algorithm>

namespace stockout::reference {
namespace {

using std::chrono::days;
using LocalTime = std::chrono::sys_time<SimDuration>;  // a clock on the wall, so to say

SimDuration offset_at(const World& world, SimTime at) {
  SimDuration offset{};
  for (const OffsetStep& step : world.utc_offsets) {
    if (step.at <= at) offset = step.offset;
  }
  return offset;
}

LocalTime local_time(const World& world, SimTime at) {
  return world.start_date + (at - kStart) + offset_at(world, at);
}

bool in_office(const World& world, const Resubmission& office, SimTime at) {
  const LocalTime local = local_time(world, at);
  const auto midnight = std::chrono::floor<days>(local);
  const auto weekday = std::chrono::weekday{midnight}.iso_encoding();  // Monday is 1
  const SimDuration time_of_day = local - midnight;
  return weekday <= 5 && office.office_from <= time_of_day && time_of_day < office.office_to;
}

}  // namespace

SimTime next_office_time(const World& world, const Resubmission& office, SimTime at) {
  const bool always = office.office_from == SimDuration::zero() && office.office_to == SimDuration::zero();
  if (always || in_office(world, office, at)) return at;
  // Somebody comes in when a day's office begins on the clock in force, or when the clock is put forward or
  // back.
  SimTime first = kNever;
  const auto consider = [&](SimTime candidate) {
    if (candidate > at && in_office(world, office, candidate)) first = std::min(first, candidate);
  };
  for (const OffsetStep& step : world.utc_offsets) consider(step.at);
  std::vector<SimDuration> offsets{SimDuration::zero()};
  for (const OffsetStep& step : world.utc_offsets) offsets.push_back(step.offset);
  for (const SimDuration offset : offsets) {
    const auto midnight = std::chrono::floor<days>(world.start_date + (at - kStart) + offset);
    for (int day = 0; day <= 10; ++day) {
      const LocalTime opening = midnight + days{day} + office.office_from;
      const SimTime candidate = kStart + (opening - offset - world.start_date);
      if (offset_at(world, candidate) == offset) consider(candidate);
    }
  }
  return first;
}

}  // namespace stockout::reference
