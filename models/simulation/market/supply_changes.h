#pragma once

#include <cstddef>

#include "models/simulation/books/books.h"
#include "models/simulation/books/pool_checks.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/touched_pools.h"
#include "models/simulation/lives/lease_start.h"
#include "models/simulation/lives/making_way.h"
#include "models/world/world.h"
#include "sim/random/draw.h"

namespace stockout {

/// Capacity over time: the steps of each source of a zone pool, and machines that come back from repair.
class SupplyChanges {
 public:
  SupplyChanges(const World& world, Agenda& agenda, TouchedPools& touched, Books& books, LeaseStart& starts,
                MakingWay& making_way)
      : world_{world},
        agenda_{agenda},
        touched_{touched},
        books_{books},
        starts_{starts},
        making_way_{making_way} {}

  /// Sets capacity to that of the run's begin.
  void open(const RandomStreams& random);
  /// A source comes to its next step.
  void play_step(Event event);
  /// A machine is repaired.
  void play_repair(Event event);

 private:
  void set_capacity(PoolId pool, std::size_t source);

  const World& world_;
  Agenda& agenda_;
  TouchedPools& touched_;
  Books& books_;
  LeaseStart& starts_;
  MakingWay& making_way_;
};

}  // namespace stockout
