#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "sim/core/ids.h"
#include "sim/core/time.h"

namespace stockout {

/// The pools to which something has happened since they were last dispatched: a request made or withdrawn, a
/// lease that ended, a change of capacity.
class TouchedPools {
 public:
  /// `pools`: how many there are. `later`: how long after an instant machines are granted that were freed in
  /// it while frees_later() holds.
  TouchedPools(std::size_t pools, SimDuration later) : marks_(pools), later_{later} {}

  void touch(PoolId pool, SimTime now) {
    if (frees_later_) return touch_later(pool, now);
    Mark& mark = marks_[index(pool)];
    if (mark.touched) return;
    mark.touched = true;
    touched_.push_back(pool);
  }
  /// With starts before releases: from now on what is touched is dispatched at a later instant, and no more
  /// at this one; or no longer.
  void set_frees_later(bool frees_later) { frees_later_ = frees_later; }

  /// An instant begins: pools that were touched for it count.
  void begin_instant(SimTime now);
  /// The next instant for which a pool was touched; kNever: none.
  [[nodiscard]] SimTime next_time() const {
    return touched_later_.empty() ? kNever : touched_later_.front().at;
  }
  [[nodiscard]] bool empty() const { return touched_.empty(); }
  /// The pools to dispatch now, in pool order. What is touched from now on comes with the next call, which
  /// makes the span void.
  [[nodiscard]] std::span<const PoolId> take(SimTime now) {
    taken_.swap(touched_);
    touched_.clear();
    if (taken_.size() > 1) std::ranges::sort(taken_);
    for (const PoolId pool : taken_) marks_[index(pool)].touched = false;
    if (has_freed_later_) pass_over_freed(now);
    return taken_;
  }

 private:
  struct Mark {
    bool touched = false;
    SimTime freed_at = kNever;  // it grants nothing more at that instant
  };
  struct Later {
    SimTime at;
    PoolId pool;
  };

  void touch_later(PoolId pool, SimTime now);
  void pass_over_freed(SimTime now);

  std::vector<Mark> marks_;  // by PoolId
  SimDuration later_;
  bool frees_later_ = false;
  bool has_freed_later_ = false;  // ever
  std::vector<PoolId> touched_;
  std::vector<PoolId> taken_;
  std::deque<Later> touched_later_;  // by time
};

}  // namespace stockout
