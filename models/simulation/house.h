#pragma once

#include "models/orchestrators/roster.h"
#include "models/simulation/agenda.h"
#include "models/simulation/asking.h"
#include "models/simulation/bookings.h"
#include "models/simulation/books.h"
#include "models/simulation/deadline_moves.h"
#include "models/simulation/draws.h"
#include "models/simulation/elastic_pools.h"
#include "models/simulation/fates.h"
#include "models/simulation/flights.h"
#include "models/simulation/gangs.h"
#include "models/simulation/held_leases.h"
#include "models/simulation/holdings.h"
#include "models/simulation/idle_machines.h"
#include "models/simulation/job_desk.h"
#include "models/simulation/lease_end.h"
#include "models/simulation/lease_life.h"
#include "models/simulation/lease_start.h"
#include "models/simulation/making_way.h"
#include "models/simulation/market.h"
#include "models/simulation/orchestration.h"
#include "models/simulation/outcome.h"
#include "models/simulation/recorder.h"
#include "models/simulation/requests.h"
#include "models/simulation/route.h"
#include "models/simulation/simulate.h"
#include "models/simulation/spreads.h"
#include "models/simulation/supply_changes.h"
#include "models/simulation/tables.h"
#include "models/simulation/touched_pools.h"
#include "models/simulation/workers.h"
#include "models/world/world.h"

namespace stockout {

// The rooms of a run, floor by floor. A room uses those below it; what becomes of something goes up as an
// outcome.

/// Agenda of the run, and the pools and outcomes of this instant.
struct GroundFloor {
  explicit GroundFloor(const World& world);

  Agenda agenda;
  TouchedPools touched;
  Tables tables;
  Outcomes outcomes;
};

/// The books: the record, the random numbers, where jobs may go, who holds which GPUs, and who must be asked.
struct BooksFloor {
  BooksFloor(const World& world, const Strategy& strategy, std::uint64_t replication, const Logs& logs,
             GroundFloor& ground, const Roster& roster);

  Recorder recorder;
  Draws draws;
  Route route;
  Books books;
  Orchestration orchestration;
};

/// The life of leases and requests.
struct LivesFloor {
  LivesFloor(const World& world, GroundFloor& ground, BooksFloor& known);

  Gangs gangs;
  Spreads spreads;
  Fates fates;
  Workers workers;
  LeaseStart starts;
  LeaseEnd ends;
  LeaseLife leases;
  Flights flights;
  MakingWay making_way;
  Requests requests;
};

/// Actions of pools: grant and refuse, and change.
struct MarketFloor {
  MarketFloor(const World& world, const Strategy& strategy, GroundFloor& ground, BooksFloor& known,
              LivesFloor& lives);

  Market market;
  SupplyChanges supply;
  HeldLeases held;
  IdleMachines idle;
  ElasticPools elastic;
  Bookings bookings;
};

/// Who asks: jobs and held pools.
struct DeskFloor {
  DeskFloor(const World& world, GroundFloor& ground, BooksFloor& known, LivesFloor& lives,
            MarketFloor& pools);

  DeadlineMoves deadlines;
  Asking asking;
  JobDesk jobs;
  Holdings holdings;
};

}  // namespace stockout
