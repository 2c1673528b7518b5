#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "sim/core/time.h"

namespace stockout {

/// Lanes for spans of time, so that no two spans of a lane overlap: each span, in order of its begin, gets
/// the least lane that is free. As few lanes as there are ever spans at one time (the greedy colouring of
/// intervals).
class Lanes {
 public:
  /// `begin` never decreases from call to call; `end` is after it. A span may begin where another ends.
  std::uint32_t add(SimTime begin, SimTime end) {
    for (; !busy_.empty() && busy_.top().first <= begin; busy_.pop()) free_.push(busy_.top().second);
    std::uint32_t lane = count_;
    if (free_.empty()) {
      ++count_;
    } else {
      lane = free_.top();
      free_.pop();
    }
    busy_.emplace(end, lane);
    return lane;
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  template <typename Value>
  using LeastFirst = std::priority_queue<Value, std::vector<Value>, std::greater<>>;

  LeastFirst<std::pair<SimTime, std::uint32_t>> busy_;  // by end
  LeastFirst<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

}  // namespace stockout
