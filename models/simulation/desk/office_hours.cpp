#include "models/simulation/desk/office_hours.h"

#include <algorithm>
#include <chrono>

namespace stockout {

using namespace std::chrono_literals;

SimTime next_office_hour(const World& world, SimTime at, const Resubmission& rule) {
  if (rule.office_from == rule.office_to) return at;
  for (;;) {
    const auto step = std::ranges::upper_bound(world.utc_offsets, at, {}, &OffsetStep::at);
    const SimDuration offset = step == world.utc_offsets.begin() ? SimDuration{} : std::prev(step)->offset;
    const SimTime changes = step == world.utc_offsets.end() ? kNever : step->at;
    const auto local = world.start_date + at.time_since_epoch() + offset;
    const auto day = std::chrono::floor<std::chrono::days>(local);
    const SimDuration time_of_day = local - day;
    const std::chrono::weekday weekday{day};
    const bool is_weekend = weekday == std::chrono::Saturday || weekday == std::chrono::Sunday;
    if (!is_weekend && time_of_day >= rule.office_from && time_of_day < rule.office_to) return at;
    const bool is_early = !is_weekend && time_of_day < rule.office_from;
    const SimDuration wait = is_early ? rule.office_from - time_of_day : SimDuration{24h} - time_of_day;
    at = std::min(at + wait, changes);  // the clock may change before
  }
}

}  // namespace stockout
