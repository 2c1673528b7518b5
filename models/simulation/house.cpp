#include "models/simulation/house.h"

#include <algorithm>

namespace stockout {

GroundFloor::GroundFloor(const World& world)
    : agenda{world.begin, world.ties}, touched{world.pool_count(), std::max(world.grid, SimDuration{1})} {}

BooksFloor::BooksFloor(const World& world, const Strategy& strategy, std::uint64_t replication,
                       const Logs& logs, GroundFloor& ground, const Roster& roster)
    : recorder{world, logs, ground.agenda},
      draws{{.seed = world.seed, .replication = replication}, recorder},
      route{world, strategy, ground.agenda},
      books{world, strategy, logs},
      orchestration{roster(world, strategy), ground.tables, ground.agenda, books, route} {}

LivesFloor::LivesFloor(const World& world, GroundFloor& ground, BooksFloor& known)
    : gangs{ground.tables, ground.agenda, known.books, known.recorder},
      spreads{ground.tables, known.route, known.books},
      fates{world, ground.tables, ground.agenda, known.books, known.draws, gangs},
      workers{world, ground.tables, ground.agenda, known.books, known.draws, gangs, spreads},
      starts{world, ground.tables, ground.agenda, known.books, known.recorder,      known.draws,
             gangs, spreads,       fates,         workers,     known.orchestration, ground.outcomes},
      ends{ground.tables, ground.agenda, ground.touched, known.books,         known.recorder, gangs,
           spreads,       workers,       starts,         known.orchestration, ground.outcomes},
      leases{world,   ground.tables, ground.agenda, ground.touched, known.books,        gangs,
             spreads, fates,         workers,       starts,         known.orchestration},
      flights{world,          ground.tables, ground.agenda,       known.books,
              known.recorder, known.route,   known.orchestration, starts},
      making_way{ground.tables, known.books, known.draws, gangs, leases},
      requests{ground.tables,  ground.agenda,       ground.touched, known.books,
               known.recorder, known.orchestration, ground.outcomes} {}

MarketFloor::MarketFloor(const World& world, const Strategy& strategy, GroundFloor& ground, BooksFloor& known,
                         LivesFloor& lives)
    : market{ground.tables, ground.agenda, known.books,      known.recorder, lives.gangs,    lives.spreads,
             lives.starts,  lives.flights, lives.making_way, lives.requests, ground.outcomes},
      supply{world, ground.agenda, ground.touched, known.books, lives.starts, lives.making_way},
      held{world, ground.agenda, ground.touched, known.books, known.recorder, lives.starts},
      idle{ground.agenda, ground.touched, known.books, known.draws, held},
      elastic{ground.agenda, ground.touched, known.books, known.draws, held, market},
      bookings{strategy.held, known.books, known.draws, held, market} {}

DeskFloor::DeskFloor(const World& world, GroundFloor& ground, BooksFloor& known, LivesFloor& lives,
                     MarketFloor& pools)
    : deadlines{world,       ground.tables, ground.agenda, known.books,
                known.route, lives.leases,  pools.market,  known.orchestration},
      asking{ground.tables, ground.agenda, known.route, lives.requests, known.orchestration},
      jobs{world,          ground.tables, ground.agenda, known.recorder,      known.route,
           lives.requests, lives.leases,  deadlines,     known.orchestration, asking},
      holdings{ground.agenda, ground.touched, known.books, known.recorder, known.route,   lives.requests,
               pools.market,  pools.held,     pools.idle,  pools.elastic,  pools.bookings} {}

}  // namespace stockout
