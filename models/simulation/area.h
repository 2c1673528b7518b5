#pragma once

#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// A level that changes in steps, and the area under it since the start of the run. The area before kStart is
/// kept apart, so that measures can leave the warm-up out.
class Area {
 public:
  explicit Area(SimTime begin = kStart) : since_{begin} {}

  [[nodiscard]] std::int64_t level() const { return level_; }

  void add(std::int64_t change, SimTime now) {
    settle(now);
    level_ += change;
  }

  /// The area up to `now`, warm-up included. `now` never decreases.
  [[nodiscard]] std::int64_t total(SimTime now) {
    settle(now);
    return before_start_ + after_start_;
  }

  /// The area from kStart to `now`.
  [[nodiscard]] std::int64_t in_window(SimTime now) {
    settle(now);
    return after_start_;
  }

 private:
  void settle(SimTime now) {
    if (since_ < kStart && now > kStart) {
      before_start_ += (GpuCount{level_} * (kStart - since_)).count();
      since_ = kStart;
    }
    (now <= kStart ? before_start_ : after_start_) += (GpuCount{level_} * (now - since_)).count();
    since_ = now;
  }

  SimTime since_;
  std::int64_t level_ = 0;
  std::int64_t before_start_ = 0;
  std::int64_t after_start_ = 0;
};

}  // namespace stockout
