#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/check.h"
#include "sim/core/time.h"

namespace stockout {

/// A level that changes in steps from 0, and the exact area under it.
///
/// A change c at time t raises the area up to any later T by c * (T - t); so it is enough to keep the level
/// and the sum of c * t. That sum is kept in 128 bits: with times below 2^41 ms it holds 2^86 changes by one,
/// far beyond what a run makes. An area that does not fit 64 bits is an InvariantError when it is read; all
/// other sums of GPU-time (of leases, splits, usage) are parts of areas that are read at the end of the run.
class Area {
 public:
  [[nodiscard]] std::int64_t level() const { return level_; }

  /// `now` never decreases.
  void add(std::int64_t change, SimTime now) {
    level_ += change;
    moment_ += Wide{change} * since_start(now);
    if (now < kStart) moment_before_ += Wide{change} * since_start(now);
  }

  /// The area up to `now`, warm-up included.
  [[nodiscard]] std::int64_t total(SimTime now) const {
    return narrowed(Wide{level_} * since_start(now) - moment_);
  }

  /// The area from kStart to `now`.
  [[nodiscard]] std::int64_t in_window(SimTime now) const {
    return narrowed(Wide{level_} * since_start(std::max(now, kStart)) - (moment_ - moment_before_));
  }

 private:
  __extension__ using Wide = __int128;

  static std::int64_t since_start(SimTime at) { return (at - kStart).count(); }
  static std::int64_t narrowed(Wide area) {
    const auto narrow = static_cast<std::int64_t>(area);
    STOCKOUT_CHECK(narrow == area, "an area beyond 64 bits");
    return narrow;
  }

  std::int64_t level_ = 0;
  Wide moment_ = 0;         // sum of change * time
  Wide moment_before_ = 0;  // the part of it from before kStart
};

}  // namespace stockout
