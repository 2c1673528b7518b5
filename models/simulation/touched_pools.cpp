#include "models/simulation/touched_pools.h"

#include <algorithm>

namespace stockout {

void TouchedPools::touch_later(PoolId pool, SimTime now) {
  touched_later_.push_back({.at = now + later_, .pool = pool});
  marks_[index(pool)].freed_at = now;
}

void TouchedPools::begin_instant(SimTime now) {
  for (; !touched_later_.empty() && touched_later_.front().at <= now; touched_later_.pop_front()) {
    touch(touched_later_.front().pool, now);
  }
}

std::span<const PoolId> TouchedPools::take(SimTime now) {
  taken_.clear();
  taken_.swap(touched_);
  if (taken_.size() > 1) std::ranges::sort(taken_);
  for (const PoolId pool : taken_) marks_[index(pool)].touched = false;
  std::erase_if(taken_, [&](PoolId pool) { return marks_[index(pool)].freed_at == now; });
  return taken_;
}

}  // namespace stockout
