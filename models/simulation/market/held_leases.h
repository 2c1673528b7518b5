#pragma once

#include <vector>

#include "models/simulation/books/books.h"
#include "models/simulation/books/recorder.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/touched_pools.h"
#include "models/simulation/lives/lease_start.h"
#include "models/simulation/market/held_state.h"
#include "models/world/world.h"

namespace stockout {

/// Leases of held pools: the machines that they lease from their landlords, since when, and what that costs.
class HeldLeases {
 public:
  HeldLeases(const World& world, Agenda& agenda, TouchedPools& touched, Books& books, Recorder& recorder,
             LeaseStart& starts)
      : world_{world},
        agenda_{agenda},
        touched_{touched},
        books_{books},
        recorder_{recorder},
        starts_{starts},
        states_(world.held.size()) {}

  [[nodiscard]] const HeldPool& spec(PoolId id) const { return world_.held_pool(id); }
  [[nodiscard]] PoolState& landlord(PoolId id) { return books_.pool(spec(id).landlord); }
  /// Its number among the held pools of the world.
  [[nodiscard]] std::size_t number(PoolId id) const { return index(id) - world_.pools.size(); }
  [[nodiscard]] HeldState& state(PoolId id) { return states_[number(id)]; }
  [[nodiscard]] const std::vector<HeldState>& states() const { return states_; }

  /// Something is due for the pool.
  EventHandle set(SimTime at, EventKind kind, PoolId id) {
    return agenda_.at(at, Phase::held, Event::of(kind, id, index(id)));
  }
  /// It asks its landlord again after its interval.
  void ask_again(PoolId id) {
    state(id).ask = set(agenda_.now() + spec(id).retry_every, EventKind::held_asks, id);
  }
  /// The machines of a pool that is not elastic are there: they have been granted, and nobody is on them
  /// still.
  [[nodiscard]] bool are_there(PoolId id);
  /// It has so many GPUs more, or less, from now on.
  void resize(PoolId id, GpuCount gpus) { books_.resize(id, 0, gpus, agenda_.now()); }
  /// A lease of it on its landlord is over.
  void release(LeaseSlot slot);
  /// Its landlord has machines that others may wait for.
  void landlord_has_more(PoolId id, LeaseClass lease_class);
  /// Machines that were there from `since`, and are paid until `until`, which may be still to come.
  void add_span(PoolId id, MachineCount machines, SimTime since, SimTime until);
  /// When the run ends: held machines are paid by their spans, at the latest until payment ends; what no job
  /// leased was idle.
  void settle(PoolId id);

 private:
  const World& world_;
  Agenda& agenda_;
  TouchedPools& touched_;
  Books& books_;
  Recorder& recorder_;
  LeaseStart& starts_;
  std::vector<HeldState> states_;  // by number
};

}  // namespace stockout
