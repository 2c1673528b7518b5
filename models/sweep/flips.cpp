#include "models/sweep/flips.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "models/sweep/decided.h"

namespace stockout {
namespace {

using Winner = std::optional<std::size_t>;

/// The points of a sweep as the lines along one axis. Along one that is given they are `decided`, and
/// decisions are taken anew at each value.
class Lines {
 public:
  Lines(const StoredSweep& sweep, const std::vector<std::size_t>& decided, std::size_t axis) {
    if (sweep.axes[axis].is_decision) {
      for (std::size_t point = 0; point < sweep.points.size(); ++point)
        add(point, sweep.points[point].at, axis);
      return;
    }
    for (const std::size_t point : decided) {
      std::vector<std::uint32_t> at = sweep.points[point].at;
      for (std::size_t other = 0; other < at.size(); ++other)
        if (sweep.axes[other].is_decision) at[other] = 0;
      add(point, std::move(at), axis);
    }
  }

  template <typename Take>
  void each(const Take& take) const {
    for (const auto& [others, line] : lines_) {
      if (line.size() > 1) take(line);
    }
  }

 private:
  void add(std::size_t point, std::vector<std::uint32_t> others, std::size_t axis) {
    const std::uint32_t value = std::exchange(others[axis], 0);
    lines_[std::move(others)].emplace(value, point);
  }

  std::map<std::vector<std::uint32_t>, std::map<std::uint32_t, std::size_t>>
      lines_;  // value -> place of the point
};

AxisFlips flips_along(const StoredSweep& sweep, const SweepWinners& winners,
                      const std::vector<std::size_t>& decided, std::size_t axis) {
  AxisFlips found{.axis = axis, .boundaries = {}};
  std::map<std::tuple<std::uint32_t, std::uint32_t, Winner, Winner>, std::size_t> lines_at;
  Lines{sweep, decided, axis}.each([&](const std::map<std::uint32_t, std::size_t>& line) {
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
  const std::vector<std::size_t> decided = decided_points(sweep, winners);
  std::vector<AxisFlips> flips;
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
    flips.push_back(flips_along(sweep, winners, decided, axis));
  return flips;
}

}  // namespace stockout
