#pragma once

#include <cstdint>
#include <vector>

#include "models/simulation/books/books.h"
#include "models/simulation/books/draws.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/touched_pools.h"
#include "models/simulation/market/held_leases.h"

namespace stockout {

/// Machines of held pools that no job has: they break too, by the rules of their pool.
class IdleMachines {
 public:
  IdleMachines(Agenda& agenda, TouchedPools& touched, Books& books, Draws& draws, HeldLeases& held)
      : agenda_{agenda},
        touched_{touched},
        books_{books},
        draws_{draws},
        held_{held},
        pools_(held.states().size()) {}

  /// The pool has been dispatched: machines that are free now begin to be idle, those that are not any more
  /// cease to be.
  void review(PoolId id);
  /// The pool is over: nothing more becomes of its machines.
  void clear(PoolId id);
  /// One of them breaks.
  void play_fault(Event event);

 private:
  struct Idle {
    std::uint32_t number = 0;  // of those of its pool that have been idle
    std::uint8_t rule = 0;
    EventHandle fault{};
  };
  struct IdleOfPool {
    std::vector<Idle> machines;  // in the order in which they began to be idle
    std::uint32_t ever = 0;
  };

  void begin_idle(PoolId id, IdleOfPool& pool);
  [[nodiscard]] GpuCount unit_of(PoolId id) const;

  Agenda& agenda_;
  TouchedPools& touched_;
  Books& books_;
  Draws& draws_;
  HeldLeases& held_;
  std::vector<IdleOfPool> pools_;  // by number of the held pool
};

}  // namespace stockout
