// On which of its two legs a job under a deadline rule should be, by where it is now.

#include <catch2/catch.hpp>

#include "models/simulation/desk/deadline_moves.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Move = DeadlineMoves::Move;

const PoolId kCheapPool{0};
const PoolId kSafePool{1};
constexpr std::uint8_t kCheap = DeadlineMoves::kCheap;
constexpr std::uint8_t kSafe = DeadlineMoves::kSafe;

// Jobs of 4 GPUs that write checkpoints; a tick of a minute, a minute for each change.
World deadline_world() {
  WorldBuilder make;
  make.pool(4);
  make.pool(8);
  make.shape(4);
  make.world.classes[0].checkpoint_every = 1min;
  make.leg({.policy = spot(), .places = {kCheapPool}});
  make.leg({.policy = on_demand(), .places = {kSafePool}});
  make.world.strategies[0].deadline_rule = DeadlineRule{.tick = 1min, .overhead = 1min};
  return make.build();
}

struct Deciding : UpToMarket {
  Deciding()
      : UpToMarket{deadline_world()},
        deadlines{world,       ground.tables, ground.agenda, known.books,
                  known.route, lives.leases,  pools.market,  known.orchestration},
        of{add_job({.work = 60min, .gpus = 4, .deadline = 100min})} {}
  Move decide() { return deadlines.decide(of); }
  /// The job is on that leg.
  LeaseSlot place_on(std::uint8_t leg) {
    job(of).asks.leg = leg;
    return start_lease(of, leg);
  }
  /// Somebody else has all of the cheap pool.
  void fill_cheap_pool() { start_lease(add_job({.work = 10h, .gpus = 4}), kCheap); }
  DeadlineMoves deadlines;
  JobSlot of;
};

}  // namespace

TEST_CASE("A job on no leg asks for the cheap one while there is room, and time", "[rooms]") {
  Deciding floors;
  CHECK(floors.decide() == Move::ask_cheap);
  floors.go_to(30min);
  CHECK(floors.decide() == Move::ask_cheap);
  floors.go_to(38min);  // no more than one change is left
  CHECK(floors.decide() == Move::ask_safe);
}

TEST_CASE("A job that finds no cheap room waits while it is ahead, and goes safe when behind", "[rooms]") {
  Deciding floors;
  floors.fill_cheap_pool();
  CHECK(floors.decide() == Move::stay);
  floors.go_to(SimDuration{1});
  CHECK(floors.decide() == Move::ask_safe);
}

TEST_CASE("A job on the cheap leg stays there", "[rooms]") {
  Deciding floors;
  floors.place_on(kCheap);
  floors.go_to(50min);
  CHECK(floors.decide() == Move::stay);
}

TEST_CASE("A job on the safe leg leaves it when it is ahead and finds cheap room", "[rooms]") {
  Deciding floors;
  floors.place_on(kSafe);
  floors.go_to(3min);
  CHECK(floors.decide() == Move::stay);  // a change costs more than it is ahead
  floors.go_to(6min);
  CHECK(floors.decide() == Move::leave);
  floors.fill_cheap_pool();
  CHECK(floors.decide() == Move::stay);
}

TEST_CASE("A job that is asking or leaving decides nothing", "[rooms]") {
  Deciding floors;
  SECTION("asking") { floors.ask(floors.of, kCheap); }
  SECTION("leaving") {
    const LeaseSlot lease = floors.place_on(kSafe);
    floors.go_to(6min);
    floors.lives.leases.give_up(lease);
  }
  CHECK(floors.decide() == Move::stay);
}

TEST_CASE("A leg that has refused the job is not asked again at the same instant", "[rooms]") {
  Deciding floors;
  CHECK(floors.deadlines.is_possible(floors.job(floors.of)));
  floors.job(floors.of).asks.leg = kCheap;
  floors.deadlines.bar_leg(floors.job(floors.of));
  CHECK(floors.decide() == Move::stay);
  floors.job(floors.of).asks.leg = kSafe;
  floors.deadlines.bar_leg(floors.job(floors.of));
  CHECK_FALSE(floors.deadlines.is_possible(floors.job(floors.of)));
  floors.go_to(SimDuration{1});
  CHECK(floors.deadlines.is_possible(floors.job(floors.of)));
  CHECK(floors.decide() == Move::ask_cheap);
}

TEST_CASE("A job that should go safe, and may not, takes what cheap room there is", "[rooms]") {
  Deciding floors;
  floors.go_to(50min);
  REQUIRE(floors.decide() == Move::ask_safe);
  floors.job(floors.of).asks.leg = kSafe;
  floors.deadlines.bar_leg(floors.job(floors.of));
  CHECK(floors.decide() == Move::ask_cheap);
  floors.fill_cheap_pool();
  CHECK(floors.decide() == Move::stay);
}
