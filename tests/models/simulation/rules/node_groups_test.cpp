// Node groups that back off (models/simulation/README.md, section 14). Times in seconds; every GPU is a
// machine.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// Backs off for 10, 20, 40 and 40 seconds; forgets after 100.
WorldBuilder with_groups(const std::vector<std::int64_t>& pools) {
  WorldBuilder make;
  Policy policy = on_demand();
  policy.retries = kUnlimited;
  policy.retry_interval = 10s;
  std::vector<PoolId> places;
  for (const std::int64_t gpus : pools) places.push_back(make.pool(gpus));
  make.leg(
      {.policy = policy, .places = places, .node_group = NodeGroupRule{.most = 40s, .forget_after = 100s}});
  return make;
}

std::uint64_t requests(const Played& play, std::size_t pool) {
  return play.record().pools[pool].classes[static_cast<std::size_t>(LeaseClass::on_demand)].requests;
}

}  // namespace

TEST_CASE("A job asks a group that has nothing at the ends of longer and longer back-offs", "[rules]") {
  WorldBuilder make = with_groups({4});
  make.job({.at = 0s, .work = 75s, .gpus = 4});
  make.job({.at = 1s, .work = 5s, .gpus = 1});  // asks at 1, 11, 31, 71, 111
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 75 | completed at 75");
  CHECK(play.job(1) == "leg 0 pool 0: 111 to 116 | completed at 116");
  CHECK(requests(play, 0) == 6);
}

TEST_CASE("A back-off holds up jobs for whom there would be room", "[rules]") {
  WorldBuilder make = with_groups({4});
  make.job({.at = 0s, .work = 30s, .gpus = 3});
  make.job({.at = 1s, .work = 5s, .gpus = 2});   // asks at 1, 11, 31
  make.job({.at = 2s, .work = 5s, .gpus = 1});   // would fit; asks at 11
  make.job({.at = 12s, .work = 5s, .gpus = 1});  // the group backs off from 11 to 31
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 31 to 36 | completed at 36");
  CHECK(play.job(2) == "leg 0 pool 0: 11 to 16 | completed at 16");
  CHECK(play.job(3) == "leg 0 pool 0: 31 to 36 | completed at 36");
}

TEST_CASE("Who fails together with another makes the back-off no longer", "[rules]") {
  WorldBuilder make = with_groups({4});
  make.job({.at = 0s, .work = 15s, .gpus = 4});
  make.job({.at = 1s, .work = 5s, .gpus = 2});
  make.job({.at = 1s, .work = 5s, .gpus = 2});  // both at 1, 11 and 31
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 31 to 36 | completed at 36");
  CHECK(play.job(2) == "leg 0 pool 0: 31 to 36 | completed at 36");
  CHECK(requests(play, 0) == 7);
}

TEST_CASE("Other groups are asked while one backs off, and a job waits for the first that ends", "[rules]") {
  WorldBuilder make = with_groups({2, 2});
  make.job({.at = 0s, .work = 50s, .gpus = 2});  // in pool 0
  make.job({.at = 1s, .work = 24s, .gpus = 2});  // pool 0 fails at 1, until 11; in pool 1
  make.job({.at = 5s, .work = 5s, .gpus = 1});   // pool 1 fails at 5, until 15
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 1: 1 to 25 | completed at 25");
  // At 11 pool 0 fails until 31; at 15 pool 1 until 35; at 31 pool 0 until 71; at 35 pool 1 is free.
  CHECK(play.job(2) == "leg 0 pool 1: 35 to 40 | completed at 40");
  CHECK(requests(play, 0) == 4);
  CHECK(requests(play, 1) == 4);
}

TEST_CASE("Success forgets no failure, and time does", "[rules]") {
  WorldBuilder make = with_groups({1});
  make.job({.at = 0s, .work = 5s});
  make.job({.at = 1s, .work = 89s});  // fails at 1, runs from 11 to 100
  make.job({.at = 99s, .work = 2s});  // fails at 99, backs off until 119
  make.job({.at = 200s, .work = 5s});
  make.job({.at = 201s, .work = 5s});  // fails more than 100 s after 99
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 11 to 100 | completed at 100");
  CHECK(play.job(2) == "leg 0 pool 0: 119 to 121 | completed at 121");
  CHECK(play.job(4) == "leg 0 pool 0: 211 to 216 | completed at 216");
}

TEST_CASE(
    "A job passes on from a leg whose groups back off, and tries again when any of its legs is worth it",
    "[rules]") {
  WorldBuilder make;
  const PoolId one = make.pool(2);
  const PoolId two = make.pool(2);
  const NodeGroupRule rule{.most = 40s, .forget_after = 100s};
  Policy first = spot();
  first.retry_interval = 4s;
  Policy last = on_demand();
  last.retries = kUnlimited;
  last.retry_interval = 10s;
  make.leg({.policy = first, .places = {one}, .node_group = rule});
  make.leg({.policy = last, .places = {two}, .node_group = rule});
  make.job({.at = 0s, .work = 12s, .gpus = 2});  // Spot
  make.job({.at = 1s, .work = 50s, .gpus = 2});  // Spot fails until 5; on-demand
  make.job({.at = 2s, .work = 5s, .gpus = 2});   // on-demand fails until 12
  const Played play{make};
  CHECK(play.job(1) == "leg 1 pool 1: 1 to 51 | completed at 51");
  // Spot fails at 5, until 13; on-demand at 12, until 32; Spot is free at 13.
  CHECK(play.job(2) == "leg 0 pool 0: 13 to 18 | completed at 18");
}

TEST_CASE("A gang that gathers too few machines is a failure of its group", "[rules]") {
  WorldBuilder make;
  const PoolId pool = make.pool(4);
  Policy policy = on_demand();
  policy.retries = kUnlimited;
  policy.retry_interval = 10s;
  make.leg({.policy = policy,
            .places = {pool},
            .partial = Partial{.gather = 6s, .interval = 2s},
            .least = 3,
            .node_group = NodeGroupRule{.most = 40s, .forget_after = 100s}});
  make.job({.at = 0s, .work = 12s, .gpus = 2});
  make.job({.at = 1s, .work = 4s, .gpus = 4});  // has two machines until 7, again at 17
  make.job({.at = 8s, .work = 1s, .gpus = 1});  // 17, after the gang: no room is left; 37
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 1 works 7 to 7 | leg 0 pool 0: 17 to 21 | completed at 21");
  CHECK(play.job(2) == "leg 0 pool 0: 37 to 38 | completed at 38");
}

TEST_CASE("A want of quota is no failure of a group, and is tried again after the usual time", "[rules]") {
  WorldBuilder make = with_groups({4});
  QuotaBucket& quota = make.world.quotas.emplace_back();
  quota.pools.fill(std::vector<bool>(1, true));
  quota.units = {1};
  quota.steps = {{.at = make.world.begin, .limit = 2}};
  make.job({.at = 0s, .work = 25s, .gpus = 2});
  make.job({.at = 1s, .work = 5s, .gpus = 1});  // asks at 1, 11, 21, 31
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 31 to 36 | completed at 36");
  CHECK(requests(play, 0) == 2);
}

TEST_CASE("With back_off a want of quota is a failure of the group, for all jobs together", "[rules]") {
  WorldBuilder make = with_groups({4});
  QuotaBucket& quota = make.world.quotas.emplace_back();
  quota.pools.fill(std::vector<bool>(1, true));
  quota.units = {1};
  quota.steps = {{.at = make.world.begin, .limit = 2}};
  make.job({.at = 0s, .work = 15s, .gpus = 1});
  make.job({.at = 1s, .work = 5s, .gpus = 2});  // short at 1, until 11; short at 11, until 31
  make.job({.at = 2s, .work = 5s, .gpus = 1});  // waits for the group until 31, is short then, until 71
  World world = make.build();
  world.strategies[0].quota.when_short = WhenShort::back_off;
  const Played play{world};
  CHECK(play.job(1) == "leg 0 pool 0: 31 to 36 | completed at 36");
  CHECK(play.job(2) == "leg 0 pool 0: 71 to 76 | completed at 76");
  CHECK(play.record().jobs.at(1).quota == QuotaOutcome{.wait = 30s, .refusals = 2});
  CHECK(play.record().jobs.at(2).quota == QuotaOutcome{.wait = 69s, .refusals = 1});
  CHECK(requests(play, 0) == 3);                             // the provider refused none
  world.strategies[0].quota.when_short = WhenShort::refuse;  // no failure of the group
  CHECK(Played{world}.job(2) == "leg 0 pool 0: 2 to 7 | completed at 7");
}

TEST_CASE("A group without quota does not keep a job from another that has some", "[rules]") {
  WorldBuilder make = with_groups({4, 4});
  QuotaBucket& quota = make.world.quotas.emplace_back();
  quota.pools.fill(std::vector<bool>{true, false});
  quota.units = {1};
  quota.steps = {{.at = make.world.begin, .limit = 1}};
  make.job({.at = 0s, .work = 5s, .gpus = 1});
  make.job({.at = 1s, .work = 5s, .gpus = 1});  // the first group fails, until 11
  make.job({.at = 6s, .work = 5s, .gpus = 1});  // the first would have quota
  World world = make.build();
  world.strategies[0].quota.when_short = WhenShort::back_off;
  const Played play{world};
  CHECK(play.job(1) == "leg 0 pool 1: 1 to 6 | completed at 6");
  CHECK(play.job(2) == "leg 0 pool 1: 6 to 11 | completed at 11");
  CHECK(play.record().jobs.at(1).quota == QuotaOutcome{.refusals = 1});
  CHECK(play.record().jobs.at(2).quota == QuotaOutcome{});
}

TEST_CASE("Tenants ask as they did, and no group backs off for them", "[rules]") {
  WorldBuilder make = with_groups({2});
  Policy policy = on_demand();
  policy.retries = kUnlimited;
  policy.retry_interval = 3s;
  make.tenant_leg({.policy = policy, .places = {PoolId{0}}});
  make.tenant({.at = 0s, .work = 5s, .gpus = 2});
  make.tenant({.at = 1s, .work = 1s, .gpus = 1});  // asks at 1, 4, 7
  make.job({.at = 6s, .work = 5s, .gpus = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 6 to 11 | completed at 11");
}

TEST_CASE("A deadline rule does not count on a place whose group backs off", "[rules]") {
  WorldBuilder make;
  const PoolId cheap = make.pool(2);
  const PoolId safe = make.pool(2);
  Policy policy = spot();
  policy.retry_interval = 10s;
  make.leg(
      {.policy = policy, .places = {cheap}, .node_group = NodeGroupRule{.most = 40s, .forget_after = 100s}});
  make.leg({.policy = on_demand(), .places = {safe}});
  make.world.strategies[0].deadline_rule = DeadlineRule{.tick = 4s, .overhead = 0s};
  make.job({.at = 0s, .work = 3s, .gpus = 1, .deadline = 100s});
  make.job({.at = 0s, .work = 9s, .gpus = 2, .deadline = 100s});  // asks Spot at 0, which fails until 10
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 3 | completed at 3");
  CHECK(play.job(1) == "leg 1 pool 1: 4 to 13 | completed at 13");
}
