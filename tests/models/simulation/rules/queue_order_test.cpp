// Who goes first: named assumptions of a pool (models/simulation/README.md, sections 5 and 6). Times
// in seconds.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t index_of(LeaseClass lease_class) { return static_cast<std::size_t>(lease_class); }

/// A pool of `gpus`, of which tenants have `taken` from 0 to `until`. Jobs of class 0 buy flex, of class 1 on
/// demand, of class 2 Spot.
struct Shared {
  Shared(std::int64_t gpus, std::int64_t taken, SimDuration until) : pool{make.pool(gpus)} {
    make.world.classes.resize(3);
    make.tenant_leg({.policy = on_demand(), .places = {pool}});
    make.tenant({.at = 0s, .work = until, .gpus = taken});
    make.leg({.policy = flex(), .places = {pool}, .classes = {true, false, false}});
    make.leg({.policy = on_demand(), .places = {pool}, .classes = {false, true, false}});
    make.leg({.policy = spot(), .places = {pool}, .classes = {false, false, true}});
  }

  WorldBuilder make;
  PoolId pool;
};

}  // namespace

TEST_CASE("On-demand requests go before waiting flex requests, unless the pool says otherwise", "[rules]") {
  Shared shared{1, 1, 10s};
  shared.make.job({.at = 1s, .work = 10s});
  shared.make.job({.at = 10s, .work = 10s, .job_class = 1});
  SECTION("as a rule") {
    const Played play{shared.make};
    CHECK(play.job(0) == "leg 0 pool 0: 20 to 30 | completed at 30");
    CHECK(play.job(1) == "leg 1 pool 0: 10 to 20 | completed at 20");
  }
  SECTION("with flex_before_on_demand") {
    shared.make.world.pools[0].flex_before_on_demand = true;
    const Played play{shared.make};
    CHECK(play.job(0) == "leg 0 pool 0: 10 to 20 | completed at 20");
    CHECK(play.job(1) == "refused at 10");
  }
}

TEST_CASE("Free room may gather for the head of the queue", "[rules]") {
  Shared shared{4, 3, 100s};
  shared.make.job({.at = 1s, .work = 10s, .gpus = 4});        // the head
  shared.make.job({.at = 2s, .work = 10s});                   // would fit
  shared.make.job({.at = 20s, .work = 10s, .job_class = 1});  // on demand
  shared.make.job({.at = 40s, .work = 10s, .job_class = 2});  // Spot
  shared.make.job(
      {.at = 112s, .work = 10s, .gpus = 3, .job_class = 1});  // beside the second, which is no head
  SECTION("not as a rule") {
    const Played play{shared.make};
    CHECK(play.job(0) == "leg 0 pool 0: 100 to 110 | completed at 110");
    CHECK(play.job(1) == "leg 0 pool 0: 2 to 12 | completed at 12");
    CHECK(play.job(2) == "leg 1 pool 0: 20 to 30 | completed at 30");
    CHECK(play.job(3) == "leg 2 pool 0: 40 to 50 | completed at 50");
  }
  SECTION("with hold_for_head") {
    shared.make.world.pools[0].hold_for_head = true;
    const Played play{shared.make};
    CHECK(play.job(0) == "leg 0 pool 0: 100 to 110 | completed at 110");
    CHECK(play.job(1) == "leg 0 pool 0: 110 to 120 | completed at 120");
    CHECK(play.job(2) == "refused at 20");
    CHECK(play.job(3) == "refused at 40");
    CHECK(play.job(4) == "leg 1 pool 0: 112 to 122 | completed at 122");
  }
}

TEST_CASE("Room gathers for the head out of the source of flex requests alone", "[rules]") {
  Shared shared{4, 3, 100s};
  Pool& pool = shared.make.world.pools[0];
  pool.hold_for_head = true;
  pool.capacity.push_back(pool.capacity[0]);
  for (const LeaseClass lease_class : {LeaseClass::reserved, LeaseClass::on_demand, LeaseClass::flex}) {
    pool.capacity[lease_class == LeaseClass::flex ? 1 : 0].classes[index_of(lease_class)] = true;
    pool.capacity[lease_class == LeaseClass::flex ? 0 : 1].classes[index_of(lease_class)] = false;
  }
  pool.capacity[0].classes[index_of(LeaseClass::spot)] = false;
  shared.make.job({.at = 1s, .work = 50s, .gpus = 3});
  shared.make.job({.at = 2s, .work = 10s, .gpus = 2});  // waits for 2 of the other source's 4
  shared.make.job({.at = 3s, .work = 10s, .job_class = 1});
  shared.make.job({.at = 3s, .work = 10s, .job_class = 2});
  const Played play{shared.make};
  CHECK(play.job(0) == "leg 0 pool 0: 1 to 51 | completed at 51");
  CHECK(play.job(1) == "leg 0 pool 0: 51 to 61 | completed at 61");
  CHECK(play.job(2) == "leg 1 pool 0: 3 to 13 | completed at 13");
  CHECK(play.job(3) == "refused at 3");
}

TEST_CASE("What gathers for the head is no room to a deadline rule", "[rules]") {
  WorldBuilder make;
  const PoolId zone = make.pool(4);
  const PoolId safe = make.pool(1);
  make.world.pools[0].hold_for_head = true;
  make.world.classes.resize(2);
  make.tenant_leg({.policy = on_demand(), .places = {zone}, .classes = {true, false}});
  make.tenant_leg({.policy = flex(), .places = {zone}, .classes = {false, true}});
  make.tenant({.at = 0s, .work = 500s, .gpus = 3});
  make.tenant({.at = 1s, .work = 10s, .gpus = 4, .job_class = 1});
  make.leg({.policy = spot(), .places = {zone}});
  make.leg({.policy = on_demand(), .places = {safe}});
  make.world.strategies[0].deadline_rule = DeadlineRule{.tick = 60s, .overhead = 0s};
  make.job({.at = 2s, .work = 10s, .deadline = 1'000s});
  const Played play{make};
  CHECK(play.job(0) == "leg 1 pool 1: 62 to 72 | completed at 72");  // behind at the first tick
  CHECK(play.record().pools[0].classes[index_of(LeaseClass::spot)].requests == 0);
}
