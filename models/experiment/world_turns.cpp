#include "models/experiment/world_turns.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "sim/core/check.h"

namespace stockout {

WorldTurns::WorldTurns(std::vector<std::size_t> turns) : in_round_{std::move(turns)}, turns_{}, firsts_{} {
  STOCKOUT_CHECK(!in_round_.empty());
  std::size_t in_common = 0;
  for (const std::size_t own : in_round_) {
    STOCKOUT_CHECK(own > 0);
    in_common = std::gcd(in_common, own);
  }
  for (std::size_t world = 0; world < in_round_.size(); ++world) {
    firsts_.push_back(turns_.size());
    in_round_[world] /= in_common;
    turns_.insert(turns_.end(), in_round_[world], world);
  }
}

WorldTurns WorldTurns::by_weight(std::span<const double> weights, std::size_t most) {
  std::vector<std::size_t> turns;
  for (const double weight : weights)
    turns.push_back(static_cast<std::size_t>(std::llround(weight * static_cast<double>(most))));
  return WorldTurns{std::move(turns)};
}

}  // namespace stockout
