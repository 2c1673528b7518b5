#pragma once

#include <cstddef>

#include "sim/core/time.h"

namespace stockout {

/// Equal bins of time from kStart on, at most `most` of them however long a run gets: one that comes to the
/// end of the last makes all of them longer. Lengths are 1, 5, 15, 30 s, 1, 5, 15, 30 min, 1, 3, 6, 12 h, 1,
/// 7, 14, 28, 56 ... days: each is a multiple of the one before, so that bins are joined, never split.
class Bins {
 public:
  /// `most` at least 1. The shortest length that reaches up to `until`.
  Bins(std::size_t most, SimTime until);

  [[nodiscard]] SimDuration length() const { return length_; }

  /// The bin that `at`, not before kStart, is in.
  [[nodiscard]] std::size_t of(SimTime at) const { return static_cast<std::size_t>((at - kStart) / length_); }
  [[nodiscard]] SimTime begin(std::size_t bin) const {
    return kStart + length_ * static_cast<std::int64_t>(bin);
  }

  /// Makes them reach `at`: joins that many bins into one each; 1: as they were.
  std::size_t reach(SimTime at);

 private:
  [[nodiscard]] bool reaches(SimTime at) const { return of(at) < most_; }

  std::size_t most_;
  SimDuration length_;
};

}  // namespace stockout
