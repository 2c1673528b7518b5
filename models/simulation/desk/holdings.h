#pragma once

#include <vector>

#include "models/simulation/books/books.h"
#include "models/simulation/books/recorder.h"
#include "models/simulation/books/route.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/outcome.h"
#include "models/simulation/ground/touched_pools.h"
#include "models/simulation/lives/requests.h"
#include "models/simulation/market/bookings.h"
#include "models/simulation/market/elastic_pools.h"
#include "models/simulation/market/held_leases.h"
#include "models/simulation/market/idle_machines.h"
#include "models/simulation/market/market.h"

namespace stockout {

/// How reservations, bookings and elastic pools come and go: they ask the market as a job does.
class Holdings {
 public:
  Holdings(Agenda& agenda, TouchedPools& touched, Books& books, Recorder& recorder, Route& route,
           Requests& requests, Market& market, HeldLeases& held, IdleMachines& idle, ElasticPools& elastic,
           Bookings& bookings)
      : agenda_{agenda},
        touched_{touched},
        books_{books},
        recorder_{recorder},
        route_{route},
        requests_{requests},
        market_{market},
        held_{held},
        idle_{idle},
        elastic_{elastic},
        bookings_{bookings} {}

  /// Before the first instant: what is due at or before it, the landlord's part at once.
  void begin(PoolId id);
  /// The next thing due for held pools at this instant, by pool, then by kind, then by machine; false: none
  /// is. To be asked until it says so.
  bool play_next();
  /// An outcome that concerns a held pool.
  void hear(const Outcome& outcome);
  /// The run is over: everything is given back and paid.
  void close_all(const std::vector<PoolId>& in_run);

 private:
  bool collect_due();
  void play_or_set(SimTime at, EventKind kind, PoolId id);
  void play(EventKind kind, PoolId id, LeaseSlot lease);
  void ask(PoolId id);
  void take_turn(PoolId id);
  void machines_free(PoolId id, LeaseSlot lease);
  void accept(PoolId id);
  void refuse(PoolId id);
  void gather(PoolId id);
  void open(PoolId id);
  void mind(PoolId id);
  void end(PoolId id);
  void close(PoolId id);
  [[nodiscard]] SimTime now() const { return agenda_.now(); }

  Agenda& agenda_;
  TouchedPools& touched_;
  Books& books_;
  Recorder& recorder_;
  Route& route_;
  Requests& requests_;
  Market& market_;
  HeldLeases& held_;
  IdleMachines& idle_;
  ElasticPools& elastic_;
  Bookings& bookings_;
  std::vector<Event> due_;  // at this instant, the last first
};

}  // namespace stockout
