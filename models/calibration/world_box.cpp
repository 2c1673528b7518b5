#include "models/calibration/world_box.h"

#include <numeric>
#include <utility>

#include <boost/random/uniform_int_distribution.hpp>

#include "sim/random/draw.h"

namespace stockout {

bool is_within(const WorldBox& box, const WorldShares& world) {
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (world[i] < box[i].low || world[i] > box[i].high) return false;
  }
  return true;
}

std::vector<WorldShares> draw_worlds(const WorldBox& box, std::size_t worlds, std::uint64_t seed,
                                     std::uint64_t wave) {
  std::vector<WorldShares> drawn(worlds, WorldShares(box.size()));
  std::vector<std::size_t> stratum(worlds);
  for (std::size_t unknown = 0; unknown < box.size(); ++unknown) {
    Draw draw{seed, wave, Purpose::prior, unknown, 0};
    std::iota(stratum.begin(), stratum.end(), std::size_t{0});
    for (std::size_t left = worlds; left > 1; --left) {
      boost::random::uniform_int_distribution<std::size_t> pick{0, left - 1};
      std::swap(stratum[left - 1], stratum[pick(draw)]);
    }
    for (std::size_t i = 0; i < worlds; ++i) {
      const double share = (static_cast<double>(stratum[i]) + uniform01(draw)) / static_cast<double>(worlds);
      drawn[i][unknown] = box[unknown].low + box[unknown].width() * share;
    }
  }
  return drawn;
}

}  // namespace stockout
