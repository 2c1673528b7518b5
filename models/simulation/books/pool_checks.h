#pragma once

#include "models/simulation/books/books.h"

namespace stockout {

[[noreturn]] void fail_full(const PoolState& pool, const SourceState& source);
void check_hosts(const PoolState& pool);

/// No Spot lease stays where the leases that are not leaving exceed the capacity of their source; in a held
/// pool, none does.
inline void check_capacity(const PoolState& pool) {
  for (const SourceState& source : pool.sources) {
    if (source.is_over_full() && (pool.held != nullptr || source.all != source.solid))
      fail_full(pool, source);
  }
  if (pool.hosts) check_hosts(pool);
}

/// Both sides of each pool's books agree at the end of the run, after all leases are closed.
void check_balance(Books& books, SimTime end);

}  // namespace stockout
