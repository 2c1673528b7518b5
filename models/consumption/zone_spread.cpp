#include "models/consumption/zone_spread.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace stockout {
namespace {

// The place that takes the next machines: one that has room left.
std::size_t next_place(Spread rule, std::span<const std::int64_t> free,
                       const std::vector<std::int64_t>& taken) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (taken[i] == free[i]) continue;
    const bool is_better =
        !best || (rule == Spread::balanced ? taken[i] < taken[*best]
                                           : free[i] - taken[i] > free[*best] - taken[*best]);
    if (is_better) best = i;
  }
  return best.value();
}

}  // namespace

std::vector<std::int64_t> spread_machines(Spread rule, std::span<const std::int64_t> free, std::int64_t least,
                                          std::int64_t most) {
  std::vector<std::int64_t> taken(free.size());
  if (rule == Spread::any_single_zone) {
    const auto place = std::ranges::find_if(free, [least](std::int64_t room) { return room >= least; });
    if (place == free.end()) return {};
    taken[static_cast<std::size_t>(place - free.begin())] = std::min(most, *place);
    return taken;
  }
  std::int64_t room = 0;
  for (const std::int64_t each : free) room += std::min(each, most);
  if (room < least) return {};
  std::int64_t missing = std::min(most, room);
  while (missing > 0) {
    const std::size_t place = next_place(rule, free, taken);
    const std::int64_t more = rule == Spread::balanced ? 1 : std::min(missing, free[place] - taken[place]);
    taken[place] += more;
    missing -= more;
  }
  return taken;
}

}  // namespace stockout
