#include "sim/core/local_time.h"

#include <algorithm>
#include <iterator>

namespace stockout {

SimTime when_clock_shows(SimDuration clock, std::span<const OffsetStep> offsets) {
  const SimTime unchanged = kStart + clock;
  if (offsets.empty()) return unchanged;
  const auto later_than_start = std::ranges::upper_bound(offsets, kStart, {}, &OffsetStep::at);
  const SimDuration at_start =
      later_than_start == offsets.begin() ? offsets.front().offset : std::prev(later_than_start)->offset;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const SimTime shown = unchanged - (offsets[i].offset - at_start);
    const bool is_last = i + 1 == offsets.size();
    if (is_last || shown < offsets[i + 1].at) return i == 0 ? shown : std::max(shown, offsets[i].at);
  }
  return unchanged;
}

}  // namespace stockout
