#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "sim/core/time.h"

namespace stockout::test {

/// Random choices for test worlds; the same on every platform for one seed. Not for anything statistical.
class Choice {
 public:
  explicit Choice(std::uint64_t seed) : engine_{seed} {}

  /// A whole number from least to most, both included.
  std::int64_t number(std::int64_t least, std::int64_t most) {
    const auto span = static_cast<std::uint64_t>(most - least + 1);
    return least + static_cast<std::int64_t>(engine_() % span);
  }

  bool chance(int percent) { return number(1, 100) <= percent; }

  template <typename T>
  const T& one_of(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(number(0, static_cast<std::int64_t>(values.size()) - 1))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace stockout::test
