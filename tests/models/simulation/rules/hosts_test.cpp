// Pools with placement (models/simulation/README.md, section 4, hosts). Times in seconds; hosts of 8 GPUs.
// Class 0 buys on demand, class 1 spot, class 2 flex.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kWholeHost = 8;

/// Jobs of at most 8 GPUs are one machine, larger ones machines of 8.
WorldBuilder on_hosts(std::int32_t hosts, SimDuration notice = 0s,
                      Discipline discipline = Discipline::first_fit) {
  WorldBuilder make;
  make.world.classes.resize(3);
  const PoolId pool = make.host_pool(hosts, 8, discipline);
  Policy spot_row = spot();
  spot_row.notice = notice;
  const auto leg = [&](const Policy& policy, std::vector<bool> classes) {
    make.leg({.policy = policy, .places = {pool}, .classes = std::move(classes), .machine_gpus = kWholeHost});
  };
  leg(on_demand(), {true, false, false, false});
  leg(spot_row, {false, true, false, false});
  leg(flex(), {false, false, true, false});
  return make;
}

Placement& placement(WorldBuilder& make) { return *make.world.pools[0].placement; }

Played played(const WorldBuilder& make) { return Played{make}; }

std::string state(const Played& play, std::uint64_t job) {
  return std::string{kFinalStateNames[static_cast<std::size_t>(play.record().jobs.at(job).state)]};
}

}  // namespace

TEST_CASE("Small machines are packed, so that a whole host stays free", "[rules]") {
  WorldBuilder make = on_hosts(2);
  make.job({.at = 0s, .work = 100s, .gpus = 2});
  make.job({.at = 1s, .work = 100s, .gpus = 4});
  make.job({.at = 2s, .work = 10s, .gpus = kWholeHost});
  SECTION("best fit: on host 0, and the whole host goes to host 1") {
    CHECK(played(make).job(2) == "leg 0 pool 0: 2 to 12 | completed at 12");
  }
  SECTION("first fit: as well") {
    placement(make).fill = Fill::first_fit;
    CHECK(state(played(make), 2) == "completed");
  }
  SECTION("worst fit: on both hosts, and 10 free GPUs hold no machine of 8") {
    placement(make).fill = Fill::worst_fit;
    const Played play = played(make);
    CHECK(play.job(2) == "refused at 2");
    CHECK(play.record().pools[0].misfits == 1);
    CHECK(play.record().pools[0].classes[static_cast<std::size_t>(LeaseClass::on_demand)].refusals == 1);
  }
}

TEST_CASE("Best fit takes the host with the least room, first fit the first", "[rules]") {
  WorldBuilder make = on_hosts(2);
  make.job({.at = 0s, .work = 100s, .gpus = 2});  // host 0
  make.job({.at = 0s, .work = 100s, .gpus = 7});  // host 1
  make.job({.at = 1s, .work = 100s, .gpus = 1});  // best fit: host 1, else host 0
  make.job({.at = 2s, .work = 5s, .gpus = 6});
  CHECK(played(make).job(3) == "leg 0 pool 0: 2 to 7 | completed at 7");
  placement(make).fill = Fill::first_fit;
  CHECK(played(make).job(3) == "refused at 2");
}

TEST_CASE("A refusal for want of room is no misfit", "[rules]") {
  WorldBuilder make = on_hosts(1);
  make.job({.at = 0s, .work = 100s, .gpus = 4});
  make.job({.at = 1s, .work = 100s, .gpus = kWholeHost});
  const Played play = played(make);
  CHECK(state(play, 1) == "refused");
  CHECK(play.record().pools[0].misfits == 0);
}

TEST_CASE("Free GPU-time on used hosts is counted, in the window and the drain", "[rules]") {
  WorldBuilder make = on_hosts(2);
  make.world.window_end = kStart + 100s;
  make.job({.at = 10s, .work = 30s, .gpus = 2});  // 10 to 40
  make.job({.at = 20s, .work = 90s, .gpus = 4});  // 20 to 110, the run's end
  const Played play = played(make);
  CHECK(play.end() == "110");
  // Host 0 has 6 free for 10 s, 2 for 20 s, 4 for 70 s; host 1 has 8 all the time.
  CHECK(play.record().pools[0].host_stranded == GpuTime{1'000 * (6 * 10 + 2 * 20 + 4 * 70)});
  CHECK(play.record().pools[0].host_free == GpuTime{1'000 * (8 * 10 + 6 * 10 + 2 * 20 + 4 * 70 + 8 * 110)});
}

TEST_CASE("What no empty host holds is refused at once, also by a queue", "[rules]") {
  WorldBuilder make = on_hosts(2);
  const PoolId pool{0};
  make.world.classes.resize(4);
  make.leg({.policy = flex(), .places = {pool}, .classes = {false, false, false, true}, .machine_gpus = 16});
  make.job({.at = 5s, .work = 10s, .gpus = 16, .job_class = 3});  // one machine of 16
  CHECK(played(make).job(0) == "refused at 5");
}

TEST_CASE("Spot yields until the machine can be placed, and what need not go is spared", "[rules]") {
  WorldBuilder make = on_hosts(2);
  make.job({.at = 0s, .work = 100s, .gpus = 4, .job_class = 1});  // host 0
  make.job({.at = 1s, .work = 100s, .gpus = 6, .job_class = 1});  // host 1
  make.job({.at = 2s, .work = 100s, .gpus = 4, .job_class = 1});  // host 0
  SECTION("newest first: 4 on host 0 do not help, then 6 on host 1 do; the 4 are spared") {
    make.job({.at = 10s, .work = 5s, .gpus = kWholeHost});
    const Played play = played(make);
    CHECK(state(play, 0) == "completed");
    CHECK(play.record().jobs.at(1).preemptions == 1);
    CHECK(state(play, 2) == "completed");
    CHECK(play.job(3) == "leg 0 pool 0: 10 to 15 | completed at 15");
  }
  SECTION("oldest first: 4 on host 0, 6 on host 1, which are enough; the first 4 are spared") {
    make.world.pools[0].reclaim = ReclaimRule::oldest;
    make.job({.at = 10s, .work = 5s, .gpus = kWholeHost});
    const Played play = played(make);
    CHECK(state(play, 0) == "completed");
    CHECK(play.record().jobs.at(1).preemptions == 1);
    CHECK(state(play, 2) == "completed");
  }
  SECTION("where it fits beside spot, nobody goes") {
    make.job({.at = 10s, .work = 5s, .gpus = 2});
    const Played play = played(make);
    CHECK(play.job(3) == "leg 0 pool 0: 10 to 15 | completed at 15");
    for (const std::uint64_t job : {0U, 1U, 2U}) CHECK(state(play, job) == "completed");
  }
}

TEST_CASE("On-demand leases do not yield: free GPUs in pieces are of no use to a whole host", "[rules]") {
  WorldBuilder make = on_hosts(2);
  make.job({.at = 0s, .work = 100s, .gpus = 5});
  make.job({.at = 1s, .work = 100s, .gpus = 5});
  make.job({.at = 2s, .work = 100s, .gpus = 1, .job_class = 1});  // spot
  make.job({.at = 10s, .work = 5s, .gpus = 6});
  const Played play = played(make);
  CHECK(play.job(3) == "refused at 10");
  CHECK(state(play, 2) == "completed");
  CHECK(play.record().pools[0].misfits == 1);
}

TEST_CASE("A lease waits for the machines of its own hosts, not for those of others", "[rules]") {
  WorldBuilder make = on_hosts(2, 30s);
  make.job({.at = 0s, .work = 100s, .gpus = 8, .job_class = 1});  // host 0
  make.job({.at = 1s, .work = 15s, .gpus = 8, .job_class = 1});   // host 1, done at 16
  SECTION("newest first: from host 1, which is free at 16; then from host 0, free at 42") {
    make.job({.at = 10s, .work = 5s, .gpus = 8});
    make.job({.at = 12s, .work = 5s, .gpus = 8});
    const Played play = played(make);
    CHECK(play.job(2) == "leg 0 pool 0: 10 works 16 to 21 | completed at 21");
    CHECK(play.job(3) == "leg 0 pool 0: 12 works 42 to 47 | completed at 47");
  }
  SECTION("oldest first: from host 0, free at 40; the second, on host 1, goes ahead of it at 16") {
    make.world.pools[0].reclaim = ReclaimRule::oldest;
    make.job({.at = 10s, .work = 5s, .gpus = 8});
    make.job({.at = 12s, .work = 5s, .gpus = 8});
    const Played play = played(make);
    CHECK(play.job(2) == "leg 0 pool 0: 10 works 40 to 45 | completed at 45");
    CHECK(play.job(3) == "leg 0 pool 0: 12 works 16 to 21 | completed at 21");
  }
}

TEST_CASE("On one host, delayed leases start in the order in which they were granted", "[rules]") {
  WorldBuilder make = on_hosts(1, 30s);
  make.job({.at = 0s, .work = 100s, .gpus = 4, .job_class = 1});
  make.job({.at = 0s, .work = 20s, .gpus = 4, .job_class = 1});  // newest, done at 20
  make.job({.at = 10s, .work = 5s, .gpus = 4});                  // in the place of the newest
  make.job({.at = 11s, .work = 5s, .gpus = 4});
  const Played play = played(make);
  CHECK(play.job(2) == "leg 0 pool 0: 10 works 20 to 25 | completed at 25");
  CHECK(play.job(3) == "leg 0 pool 0: 11 works 25 to 30 | completed at 30");  // where the first was done
}

TEST_CASE("A head that finds no host blocks fifo, and is passed under first fit", "[rules]") {
  const auto discipline = GENERATE(Discipline::fifo, Discipline::first_fit);
  WorldBuilder make = on_hosts(2, 0s, discipline);
  make.job({.at = 0s, .work = 30s, .gpus = 6});
  make.job({.at = 0s, .work = 40s, .gpus = 6});
  make.job({.at = 1s, .work = 10s, .gpus = 3, .job_class = 2});  // 4 GPUs are free, 2 on each host
  make.job({.at = 2s, .work = 10s, .gpus = 2, .job_class = 2});
  const Played play = played(make);
  CHECK(play.job(2) == "leg 2 pool 0: 30 to 40 | completed at 40");
  CHECK(play.job(3) == (discipline == Discipline::fifo ? "leg 2 pool 0: 30 to 40 | completed at 40"
                                                       : "leg 2 pool 0: 2 to 12 | completed at 12"));
}

TEST_CASE("A compact gang needs a block, or two that are adjacent", "[rules]") {
  WorldBuilder make = on_hosts(6);
  placement(make).block_hosts = 2;
  const PoolId pool{0};
  const auto compact = GENERATE(Compact::no, Compact::block, Compact::neighbours);
  make.world.classes.resize(4);
  make.leg({.policy = on_demand(),
            .places = {pool},
            .classes = {false, false, false, true},
            .machine_gpus = kWholeHost,
            .compact = compact});
  SECTION("one host is taken in each block") {
    // Best fit alone would take hosts 0 to 2: whole hosts are spread by compact gangs of one.
    make.job({.at = 0s, .work = 50s, .gpus = 16});                  // hosts 0, 1
    make.job({.at = 0s, .work = 100s, .gpus = 8});                  // host 2
    make.job({.at = 0s, .work = 50s, .gpus = 8});                   // host 3
    make.job({.at = 0s, .work = 100s, .gpus = 8});                  // host 4
    make.job({.at = 60s, .work = 5s, .gpus = 16, .job_class = 3});  // free: 0, 1, 3, 5
    make.job({.at = 61s, .work = 5s, .gpus = 16, .job_class = 3});  // if the first took 0 and 1: 3 and 5
    const Played play = played(make);
    CHECK(play.job(4) == "leg 3 pool 0: 60 to 65 | completed at 65");
    CHECK(play.job(5) ==
          (compact == Compact::block ? "refused at 61" : "leg 3 pool 0: 61 to 66 | completed at 66"));
    CHECK(play.record().pools[0].misfits == (compact == Compact::block ? 1 : 0));
  }
  SECTION("blocks 0 and 2 are not adjacent") {
    make.job({.at = 0s, .work = 50s, .gpus = 8});                   // host 0
    make.job({.at = 0s, .work = 100s, .gpus = 32});                 // hosts 1 to 4
    make.job({.at = 60s, .work = 5s, .gpus = 16, .job_class = 3});  // free: 0 and 5
    CHECK(played(make).job(2) ==
          (compact == Compact::no ? "leg 3 pool 0: 60 to 65 | completed at 65" : "refused at 60"));
  }
}

TEST_CASE("A gang larger than a block is never compact", "[rules]") {
  WorldBuilder make = on_hosts(6);
  placement(make).block_hosts = 2;
  make.world.classes.resize(4);
  const auto compact = GENERATE(Compact::block, Compact::neighbours);
  make.leg({.policy = flex(),
            .places = {PoolId{0}},
            .classes = {false, false, false, true},
            .machine_gpus = kWholeHost,
            .compact = compact});
  make.job({.at = 3s, .work = 5s, .gpus = 24, .job_class = 3});
  CHECK(played(make).job(0) ==
        (compact == Compact::block ? "refused at 3" : "leg 3 pool 0: 3 to 8 | completed at 8"));
}

// The reservation has hosts 0 to 2, each a block of its own.
TEST_CASE("In a held pool a compact gang needs no block", "[rules]") {
  WorldBuilder make = on_hosts(6);
  placement(make).block_hosts = 1;
  const PoolId held = make.held(PoolId{0}, 24);
  make.world.classes.resize(4);
  const auto compact = GENERATE(Compact::block, Compact::neighbours);
  make.leg({.policy = reservation(),
            .places = {held},
            .classes = {false, false, false, true},
            .compact = compact});
  make.job({.at = 3s, .work = 5s, .gpus = 24, .job_class = 3});
  CHECK(played(make).job(0) == "leg 3 pool 1: 3 to 8 | completed at 8");
}

TEST_CASE("A reservation takes its machines from hosts, and asks again where they do not fit", "[rules]") {
  WorldBuilder make = on_hosts(3);
  const PoolId held = make.held(PoolId{0}, 8, 5s, 10s);  // machines of one GPU ...
  make.world.held[0].machines = MachineCount{1};         // ... or one of 8
  make.world.classes.resize(4);
  make.leg({.policy = reservation(), .places = {held}, .classes = {false, false, false, true}});
  for (const SimDuration work : {20s, 8s, 20s}) make.job({.at = 0s, .work = work, .gpus = 5});
  make.job({.at = 0s, .work = 7s, .gpus = 1, .job_class = 3});
  // At 5: 9 free, 3 on each host. At 15: host 1 is free.
  const Played play = played(make);
  CHECK(play.job(3) == "leg 3 pool 1: 15 to 22 | completed at 22");
  CHECK(play.record().pools[0].misfits == 1);
}
