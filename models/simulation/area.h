#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/time.h"

namespace stockout {

/// A level that changes in steps from 0, and the exact area under it.
///
/// A change c at time t raises the area up to any later T by c * (T - t); so it is enough to keep the level
/// and the sum of c * t. Sums are modulo 2^64, which is exact as long as the area itself fits 63 bits.
class Area {
 public:
  [[nodiscard]] std::int64_t level() const { return static_cast<std::int64_t>(level_); }

  /// `now` never decreases.
  void add(std::int64_t change, SimTime now) {
    const auto by = static_cast<std::uint64_t>(change);
    level_ += by;
    moment_ += by * since_start(now);
    moment_in_window_ += by * since_start(std::max(now, kStart));
  }

  /// The area up to `now`, warm-up included.
  [[nodiscard]] std::int64_t total(SimTime now) const {
    return static_cast<std::int64_t>(level_ * since_start(now) - moment_);
  }

  /// The area from kStart to `now`.
  [[nodiscard]] std::int64_t in_window(SimTime now) const {
    return static_cast<std::int64_t>(level_ * since_start(std::max(now, kStart)) - moment_in_window_);
  }

 private:
  static std::uint64_t since_start(SimTime at) { return static_cast<std::uint64_t>((at - kStart).count()); }

  std::uint64_t level_ = 0;
  std::uint64_t moment_ = 0;            // sum of change * time
  std::uint64_t moment_in_window_ = 0;  // the same with what came before kStart counted as if at kStart
};

}  // namespace stockout
