#include "models/simulation/ground/touched_pools.h"

namespace stockout {

void TouchedPools::touch_later(PoolId pool, SimTime now) {
  touched_later_.push_back({.at = now + later_, .pool = pool});
  marks_[index(pool)].freed_at = now;
  has_freed_later_ = true;
}

void TouchedPools::begin_instant(SimTime now) {
  for (; !touched_later_.empty() && touched_later_.front().at <= now; touched_later_.pop_front()) {
    touch(touched_later_.front().pool, now);
  }
}

// They grant nothing more at this instant.
void TouchedPools::pass_over_freed(SimTime now) {
  std::erase_if(taken_, [&](PoolId pool) { return marks_[index(pool)].freed_at == now; });
}

}  // namespace stockout
