#pragma once

#include <cstdint>

#include "models/simulation/books/books.h"
#include "models/simulation/books/draws.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/touched_pools.h"
#include "models/simulation/market/held_leases.h"
#include "models/simulation/market/market.h"

namespace stockout {

/// Elastic pools (a persistent resource): machines come one by one as requests wait, and go when they are
/// idle.
class ElasticPools {
 public:
  ElasticPools(Agenda& agenda, TouchedPools& touched, Books& books, Draws& draws, HeldLeases& held,
               Market& market)
      : agenda_{agenda}, touched_{touched}, books_{books}, draws_{draws}, held_{held}, market_{market} {}

  /// At the end of each dispatch of the pool: gives back what has been idle for long. Whether it asks its
  /// landlord for more now.
  [[nodiscard]] bool mind(PoolId id);
  /// In its landlord's dispatch: takes as many of the machines it wants as there is room for.
  void grow(PoolId id);
  /// A machine it was granted is free for it: it starts.
  void start(PoolId id, LeaseSlot slot);
  /// A machine has started.
  void machine_there(PoolId id, LeaseSlot slot);
  /// The pool is over.
  void give_all_back(PoolId id);

 private:
  [[nodiscard]] GpuCount free_gpus(PoolId id);
  [[nodiscard]] std::int64_t machines_wanted(PoolId id);
  void count_idle(PoolId id);
  void shrink(PoolId id);
  void give_back(PoolId id, LeaseSlot slot);
  [[nodiscard]] SimTime now() const { return agenda_.now(); }

  Agenda& agenda_;
  TouchedPools& touched_;
  Books& books_;
  Draws& draws_;
  HeldLeases& held_;
  Market& market_;
};

}  // namespace stockout
