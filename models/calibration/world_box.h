#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stockout {

/// A world out of those that a scenario leaves open: for each unknown a share of its prior's weight, in
/// [0, 1). Unknown::changes_at() says which value that is.
using WorldShares = std::vector<double>;

/// Between what the share of an unknown lies.
struct ShareRange {
  double low = 0;
  double high = 1;

  [[nodiscard]] double width() const { return high - low; }
};

/// By unknown.
using WorldBox = std::vector<ShareRange>;

[[nodiscard]] bool is_within(const WorldBox& box, const WorldShares& world);

/// Worlds of the prior within a box: a Latin hypercube (McKay, Beckman, Conover 1979). Each wave has its own.
[[nodiscard]] std::vector<WorldShares> draw_worlds(const WorldBox& box, std::size_t worlds,
                                                   std::uint64_t seed, std::uint64_t wave);

}  // namespace stockout
