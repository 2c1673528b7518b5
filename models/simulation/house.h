#pragma once

#include "models/orchestrators/roster.h"
#include "models/simulation/books/books.h"
#include "models/simulation/books/draws.h"
#include "models/simulation/books/orchestration.h"
#include "models/simulation/books/recorder.h"
#include "models/simulation/books/route.h"
#include "models/simulation/desk/asking.h"
#include "models/simulation/desk/deadline_moves.h"
#include "models/simulation/desk/holdings.h"
#include "models/simulation/desk/job_desk.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/outcome.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/ground/touched_pools.h"
#include "models/simulation/lives/fates.h"
#include "models/simulation/lives/flights.h"
#include "models/simulation/lives/gangs.h"
#include "models/simulation/lives/lease_end.h"
#include "models/simulation/lives/lease_life.h"
#include "models/simulation/lives/lease_start.h"
#include "models/simulation/lives/making_way.h"
#include "models/simulation/lives/requests.h"
#include "models/simulation/lives/spreads.h"
#include "models/simulation/lives/workers.h"
#include "models/simulation/market/bookings.h"
#include "models/simulation/market/elastic_pools.h"
#include "models/simulation/market/held_leases.h"
#include "models/simulation/market/idle_machines.h"
#include "models/simulation/market/market.h"
#include "models/simulation/market/supply_changes.h"
#include "models/simulation/simulate.h"
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
