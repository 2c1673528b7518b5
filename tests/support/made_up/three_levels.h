#pragma once

#include <chrono>

#include "models/supply/markov_profile.h"

namespace stockout::test {

/// A chain of three levels, of 0, 4 and 16 machines, that stay for long.
inline MarkovProfile three_levels() {
  MarkovProfile profile;
  profile.cap = 16;
  profile.tick = std::chrono::minutes{10};
  profile.machines = {0, 4, 16};
  profile.transitions = {{0.90, 0.08, 0.02}, {0.10, 0.80, 0.10}, {0.02, 0.03, 0.95}};
  return profile;
}

}  // namespace stockout::test
