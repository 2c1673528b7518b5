// Gangs that are placed in several pools (models/simulation/README.md, section 10). Times in seconds; every
// GPU is a machine. Class 0 buys gangs that may be spread over pools 0, 1, ..., class 1 on demand in pool 0
// alone.

#include <catch2/catch.hpp>

#include "models/consumption/zone_spread.h"
#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

WorldBuilder zones_of(const std::vector<std::int64_t>& gpus, const Policy& row, Spread spread) {
  WorldBuilder make;
  make.world.classes.resize(3);
  std::vector<PoolId> pools;
  for (const std::int64_t each : gpus) pools.push_back(make.pool(each));
  make.leg({.policy = row, .places = pools, .classes = {true, false, false}, .spread = spread});
  make.leg({.policy = on_demand(), .places = {pools.front()}, .classes = {false, true, false}});
  return make;
}

Policy spot_with_notice(SimDuration notice) {
  Policy row = spot();
  row.notice = notice;
  row.restarts = 0;
  return row;
}

using Counts = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("Machines of a gang go to the roomiest place first, or evenly", "[rules]") {
  const Counts free{2, 5, 3};
  CHECK(spread_machines(Spread::any, free, 5, 5) == Counts{0, 5, 0});
  CHECK(spread_machines(Spread::any, free, 7, 7) == Counts{0, 5, 2});
  CHECK(spread_machines(Spread::any, free, 9, 9) == Counts{1, 5, 3});
  CHECK(spread_machines(Spread::any, free, 11, 11).empty());
  CHECK(spread_machines(Spread::balanced, free, 3, 3) == Counts{1, 1, 1});
  CHECK(spread_machines(Spread::balanced, free, 4, 4) == Counts{2, 1, 1});
  CHECK(spread_machines(Spread::balanced, free, 9, 9) == Counts{2, 4, 3});
  CHECK(spread_machines(Spread::balanced, free, 11, 11).empty());
  CHECK(spread_machines(Spread::any_single_zone, free, 3, 3) == Counts{0, 3, 0});
  CHECK(spread_machines(Spread::any_single_zone, free, 6, 6).empty());
  CHECK(spread_machines(Spread::any, free, 10, 12) == Counts{2, 5, 3});
  CHECK(spread_machines(Spread::balanced, free, 2, 4) == Counts{2, 1, 1});
  CHECK(spread_machines(Spread::any, free, 11, 12).empty());
  CHECK(spread_machines(Spread::any_single_zone, free, 3, 9) == Counts{0, 5, 0});
}

TEST_CASE("One machine free in each of two zones holds a gang of two that allows it", "[rules]") {
  for (const Spread spread : {Spread::any, Spread::balanced}) {
    WorldBuilder make = zones_of({1, 1}, on_demand(), spread);
    make.job({.at = 10s, .work = 100s, .gpus = 2});
    make.job({.at = 50s, .work = 5s, .gpus = 2});  // none is left
    const Played play{make};
    CHECK(play.job(0) == "leg 0 pool 0: 10 to 110 | leg 0 pool 1: 10 to 110 | completed at 110");
    CHECK(play.job(1) == "refused at 50");
    CHECK(play.usage(0) == "used 100 billed 100 | useful 100");  // each at the price of its zone
    CHECK(play.usage(1) == "used 100 billed 100 | useful 100");
    CHECK(play.record().jobs.at(0).leased == 100s);
  }
  WorldBuilder one_zone = zones_of({1, 1}, on_demand(), Spread::any_single_zone);
  one_zone.job({.at = 10s, .work = 100s, .gpus = 2});
  CHECK(Played(one_zone).job(0) == "refused at 10");
}

TEST_CASE("A gang that fits one zone stays there unless it is to be balanced", "[rules]") {
  const auto played = [](Spread spread) {
    WorldBuilder make = zones_of({2, 4, 3}, on_demand(), spread);
    make.job({.at = 0s, .work = 60s, .gpus = 4});
    return Played(make).job(0);
  };
  CHECK(played(Spread::any) == "leg 0 pool 1: 0 to 60 | completed at 60");
  CHECK(played(Spread::balanced) ==
        "leg 0 pool 0: 0 to 60 | leg 0 pool 1: 0 to 60 | leg 0 pool 2: 0 to 60 | completed at 60");
}

TEST_CASE("A gang with a minimum count takes what the zones have, and is lost as one", "[rules]") {
  WorldBuilder make = zones_of({2, 1}, spot_with_notice(10s), Spread::any);
  make.job({.at = 0s, .work = 90s, .gpus = 4});                   // takes 3 of 4: at 3/4 of its pace
  make.job({.at = 10s, .work = 10s, .gpus = 2});                  // none is left
  make.job({.at = 40s, .work = 20s, .gpus = 1, .job_class = 1});  // takes a machine in pool 0
  make.job({.at = 70s, .work = 30s, .gpus = 4});                  // 3 of 4 again: 40 s
  World world = make.build();
  for (auto& places : world.strategies[0].legs[0].candidates) {
    for (Candidate& place : places) {
      if (place.parts[0].machines == 4) place.least = 2;
    }
  }
  const Played play{std::move(world)};
  CHECK(play.job(0) ==
        "leg 0 pool 0: 0 to 50 preempted, lost 50 | leg 0 pool 1: 0 to 50 preempted, lost 50 | failed at 50");
  CHECK(play.job(1) == "refused at 10");
  CHECK(play.job(2) == "leg 1 pool 0: 40 works 50 to 70 | completed at 70");
  CHECK(play.job(3) == "leg 0 pool 0: 70 to 110 | leg 0 pool 1: 70 to 110 | completed at 110");
  CHECK(play.usage(1) == "used 90 billed 120 | useful 40 redone 50");
}

TEST_CASE("A gang below its minimum count is refused, and one never to be had at once", "[rules]") {
  WorldBuilder make = zones_of({1, 2}, on_demand(), Spread::balanced);
  make.job({.at = 0s, .work = 60s, .gpus = 2});   // one machine is left
  make.job({.at = 10s, .work = 60s, .gpus = 4});  // 2 would do
  make.job({.at = 60s, .work = 60s, .gpus = 4});  // all three: 80 s
  World world = make.build();
  for (auto& places : world.strategies[0].legs[0].candidates) {
    for (Candidate& place : places) place.least = 2;
  }
  const Played play{std::move(world)};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 60 | leg 0 pool 1: 0 to 60 | completed at 60");
  CHECK(play.job(1) == "refused at 10");
  CHECK(play.job(2) == "leg 0 pool 0: 60 to 140 | leg 0 pool 1: 60 to 140 | completed at 140");
}

TEST_CASE("What all zones together never have is refused at once", "[rules]") {
  WorldBuilder make = zones_of({1, 2}, on_demand(), Spread::any);
  make.job({.at = 0s, .work = 60s, .gpus = 4});
  make.job({.at = 0s, .work = 60s, .gpus = 3});
  const Played play{make};
  CHECK(play.job(0) == "refused at 0");
  CHECK(play.job(1) == "leg 0 pool 0: 0 to 60 | leg 0 pool 1: 0 to 60 | completed at 60");
}

TEST_CASE("A gang that loses one machine loses all, at the end of one notice", "[rules]") {
  WorldBuilder make = zones_of({1, 2}, spot_with_notice(30s), Spread::any);
  make.job({.at = 0s, .work = 1'000s, .gpus = 3});
  make.job({.at = 100s, .work = 50s, .gpus = 1, .job_class = 1});  // waits for the machine in pool 0
  make.job({.at = 110s, .work = 20s, .gpus = 2});                  // room in pool 1 now, machines at 130
  const Played play{make};
  CHECK(play.job(0) ==
        "leg 0 pool 0: 0 to 130 preempted, lost 130 | leg 0 pool 1: 0 to 130 preempted, lost 130 | failed at "
        "130");
  CHECK(play.job(1) == "leg 1 pool 0: 100 works 130 to 180 | completed at 180");
  CHECK(play.job(2) == "leg 0 pool 1: 110 works 130 to 150 | completed at 150");
  CHECK(play.usage(0) == "used 130 billed 130 | redone 130");
  CHECK(play.usage(1) == "used 300 billed 380 | useful 40 redone 260 overhead 40");
  CHECK(play.record().jobs.at(0).preemptions == 1);
  CHECK(play.record().jobs.at(0).lost == 130s);
  CHECK(play.record().pools[0].classes[static_cast<std::size_t>(LeaseClass::spot)].preemptions == 1);
  CHECK(play.record().pools[1].classes[static_cast<std::size_t>(LeaseClass::spot)].preemptions == 0);
}

TEST_CASE("A gang works when the last of its zones has its machines", "[rules]") {
  Policy row = on_demand();
  row.provisioning = Law{.a = 5s};
  row.start_up = Law{.a = 10s};
  WorldBuilder make = zones_of({2, 1}, row, Spread::any);
  Policy notified = spot_with_notice(40s);
  make.leg({.policy = notified, .places = {PoolId{1}}, .classes = {false, false, true}});
  make.job({.at = 0s, .work = 900s, .gpus = 1, .job_class = 2});  // spot in pool 1
  make.job({.at = 100s, .work = 60s, .gpus = 3});
  const Played play{make};
  CHECK(play.job(0) == "leg 2 pool 1: 0 to 140 preempted, lost 140 | failed at 140");
  // up in pool 0 at 105, in pool 1 at 145; work from 155
  CHECK(play.job(1) ==
        "leg 0 pool 0: 100 works 155 to 215 | leg 0 pool 1: 100 works 155 to 215 | completed at 215");
  CHECK(play.usage(0) == "used 220 billed 220 | useful 120 overhead 110");
}

TEST_CASE("The work of a gang goes at the pace of its slowest zone", "[rules]") {
  WorldBuilder make = zones_of({1, 1}, on_demand(), Spread::any);
  make.job({.at = 0s, .work = 60s, .gpus = 2});
  World world = make.build();
  world.strategies[0].legs[0].candidates[0][1].rate_ppm = 500'000;
  CHECK(Played(world).job(0) == "leg 0 pool 0: 0 to 120 | leg 0 pool 1: 0 to 120 | completed at 120");
}

TEST_CASE("Zones of a gang are asked at one instant, and tried again together", "[rules]") {
  Policy row = on_demand();
  row.retries = 1;
  row.retry_interval = 30s;
  WorldBuilder make = zones_of({1, 1}, row, Spread::balanced);
  make.job({.at = 0s, .work = 20s, .gpus = 1, .job_class = 1});
  make.job({.at = 0s, .work = 60s, .gpus = 2});
  CHECK(Played(make).job(1) == "leg 0 pool 0: 30 to 90 | leg 0 pool 1: 30 to 90 | completed at 90");
}

// So what is known of gangs that are refused in one pool (theory/gang_loss.h) holds for them.
TEST_CASE("Zones over which gangs may be spread refuse what one zone of their size does", "[rules]") {
  const auto played = [](const std::vector<std::int64_t>& gpus, Spread spread) {
    WorldBuilder make = zones_of(gpus, on_demand(), spread);
    for (std::int64_t i = 0; i < 120; ++i) {
      const SimDuration at = 20s * i + 1s * (i * i % 17);
      make.job({.at = at, .work = 50s + 10s * (i * 7 % 13), .gpus = 1 + i * 5 % 6});
    }
    return Played(make);
  };
  const Played one = played({10}, Spread::any_single_zone);
  const Played any = played({3, 5, 2}, Spread::any);
  const Played balanced = played({3, 5, 2}, Spread::balanced);
  std::int64_t refused = 0;
  for (std::uint64_t job = 0; job < 120; ++job) {
    CHECK(any.record().jobs.at(job) == one.record().jobs.at(job));
    CHECK(balanced.record().jobs.at(job) == one.record().jobs.at(job));
    refused += one.record().jobs.at(job).state == FinalState::refused ? 1 : 0;
  }
  CHECK(refused > 10);
  CHECK(refused < 110);
}
