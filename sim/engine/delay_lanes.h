#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/core/time.h"

namespace stockout {

/// Timers with few different delays: a first-in first-out list for each, so setting one costs no heap. Timers
/// come out by (time, order of setting). Cancelled ones are told by the caller and dropped when they reach
/// the front.
template <typename Payload>
class DelayLanes {
 public:
  /// Sets a timer at `now + delay`. `now` never decreases between calls.
  void set(SimTime now, SimDuration delay, Payload payload) {
    lane(delay).timers.push_back({.at = now + delay, .order = order_++, .payload = payload});
  }

  /// Time of the first timer for which `is_live(payload)` holds, kNever if there is none.
  template <typename IsLive>
  [[nodiscard]] SimTime next_time(IsLive is_live) {
    SimTime first = kNever;
    for (Lane& lane : lanes_) {
      while (!lane.timers.empty() && !is_live(lane.timers.front().payload)) lane.timers.pop_front();
      if (!lane.timers.empty() && lane.timers.front().at < first) first = lane.timers.front().at;
    }
    return first;
  }

  /// Takes out the first timer at `at`, in order of setting, into `payload`; false if there is none.
  bool pop(SimTime at, Payload& payload) {
    Lane* first = nullptr;
    for (Lane& lane : lanes_) {
      if (lane.timers.empty() || lane.timers.front().at != at) continue;
      if (first == nullptr || lane.timers.front().order < first->timers.front().order) first = &lane;
    }
    if (first == nullptr) return false;
    payload = first->timers.front().payload;
    first->timers.pop_front();
    return true;
  }

 private:
  struct Timer {
    SimTime at;
    std::uint64_t order;
    Payload payload;
  };
  struct Lane {
    SimDuration delay;
    std::deque<Timer> timers;
  };

  Lane& lane(SimDuration delay) {
    for (Lane& known : lanes_) {
      if (known.delay == delay) return known;
    }
    lanes_.push_back({.delay = delay, .timers = {}});
    return lanes_.back();
  }

  std::vector<Lane> lanes_;
  std::uint64_t order_ = 0;
};

}  // namespace stockout
