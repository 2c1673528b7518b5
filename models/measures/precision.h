#pragma once

#include <cstddef>
#include <vector>

#include "models/measures/measure_table.h"

namespace stockout {

/// Replications before the first question whether they suffice: fewer say too little about their own spread.
inline constexpr std::size_t kFirstLook = 10;

/// How exactly replications are to know what they measure.
struct Precision {
  double half_width = 0.02;                // of the 95 % interval, as a share of the mean's size; above 0
  std::vector<Measure> of{Measure::cost};  // of each strategy that draws; at least one
  std::size_t most = 1'000;                // replications, at least kFirstLook
};

}  // namespace stockout
