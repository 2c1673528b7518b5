#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/random/draw.h"

namespace stockout {

/// The place of one of `options` (at least one), drawn in proportion to its weight. A single one is taken
/// without a draw.
template <typename T, typename WeightOf = std::identity>
[[nodiscard]] std::size_t draw_weighted(const std::vector<T>& options, Draw& draw, WeightOf weight_of = {}) {
  if (options.size() == 1) return 0;
  double total = 0;
  for (const T& option : options) total += std::invoke(weight_of, option);
  double left = uniform01(draw) * total;
  for (std::size_t i = 0; i < options.size(); ++i) {
    left -= std::invoke(weight_of, options[i]);
    if (left < 0) return i;
  }
  return options.size() - 1;
}

}  // namespace stockout
