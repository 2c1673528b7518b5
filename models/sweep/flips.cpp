#include "models/sweep/flips.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace stockout {
namespace {

using Winner = std::optional<std::size_t>;

/// The points of a sweep as the lines along one axis.
class Lines {
 public:
  Lines(const StoredSweep& sweep, std::size_t axis) {
    for (std::size_t point = 0; point < sweep.points.size(); ++point) {
      std::vector<std::uint32_t> others = sweep.points[point].at;
      const std::uint32_t value = others[axis];
      others[axis] = 0;
      lines_[std::move(others)].emplace(value, point);
    }
  }

  template <typename Take>
  void each(const Take& take) const {
    for (const auto& [others, line] : lines_) {
      if (line.size() > 1) take(line);
    }
  }

 private:
  std::map<std::vector<std::uint32_t>, std::map<std::uint32_t, std::size_t>>
      lines_;  // value -> place of the point
};

AxisFlips flips_along(const StoredSweep& sweep, const SweepWinners& winners, std::size_t axis) {
  AxisFlips found{.axis = axis, .boundaries = {}};
  std::map<std::tuple<std::uint32_t, std::uint32_t, Winner, Winner>, std::size_t> lines_at;
  Lines{sweep, axis}.each([&](const std::map<std::uint32_t, std::size_t>& line) {
    ++found.lines;
    bool changes = false;
    for (auto it = line.begin(), next = std::next(it); next != line.end(); it = next++) {
      const Winner before = winners.points[it->second].winner;
      const Winner after = winners.points[next->second].winner;
      if (before == after) continue;
      changes = true;
      ++lines_at[{it->first, next->first, before, after}];
    }
    if (changes) ++found.flipped;
  });
  for (const auto& [where, lines] : lines_at) {
    const auto& [from, to, before, after] = where;
    found.boundaries.push_back(
        {.from = from, .to = to, .winner = before, .winner_then = after, .lines = lines});
  }
  std::ranges::stable_sort(found.boundaries, std::ranges::greater{}, &Boundary::lines);
  return found;
}

}  // namespace

std::vector<AxisFlips> find_flips(const StoredSweep& sweep, const SweepWinners& winners) {
  std::vector<AxisFlips> flips;
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
    flips.push_back(flips_along(sweep, winners, axis));
  return flips;
}

}  // namespace stockout
