// Capacity that falls below what leases hold (models/simulation/README.md, section 4), on worlds
// worked out on paper. Times in seconds. Every world is run by both implementations. Class 0 buys spot, class
// 1 on demand, class 2 flex.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

Policy spot_with(SimDuration notice) {
  Policy policy = spot();
  policy.notice = notice;
  policy.restarts = 0;
  return policy;
}

/// One pool with a leg for each of spot, on demand and flex, by job class.
WorldBuilder three_classes(std::int64_t gpus, const Policy& spot_row) {
  WorldBuilder make;
  make.world.classes.resize(3);
  const PoolId pool = make.pool(gpus);
  make.leg({.policy = spot_row, .places = {pool}, .classes = {true, false, false}});
  make.leg({.policy = on_demand(), .places = {pool}, .classes = {false, true, false}});
  make.leg({.policy = flex(), .places = {pool}, .classes = {false, false, true}});
  return make;
}

GpuTime shortage(const Played& play) { return play.record().pools[0].shortage; }

}  // namespace

TEST_CASE("A fall of capacity takes spot alone, and stronger leases run on", "[rules]") {
  WorldBuilder make = three_classes(3, spot_with(0s));
  const PoolId pool{0};
  make.step(pool, 10s, 2);
  make.step(pool, 20s, 0);
  for (const std::size_t job_class : {1U, 2U, 0U}) make.job({.at = 0s, .work = 50s, .job_class = job_class});
  make.job({.at = 30s, .work = 5s, .job_class = 1});  // 2 GPUs are leased, 0 are there
  make.job({.at = 30s, .work = 5s, .job_class = 2});  // waits
  SECTION("the pool is over-full until they end") {
    make.step(pool, 60s, 1);
    const Played play{make};
    CHECK(play.job(0) == "leg 1 pool 0: 0 to 50 | completed at 50");
    CHECK(play.job(1) == "leg 2 pool 0: 0 to 50 | completed at 50");
    CHECK(play.job(2) == "leg 0 pool 0: 0 to 10 preempted, lost 10 | failed at 10");
    CHECK(play.job(3) == "refused at 30");
    CHECK(play.job(4) == "leg 2 pool 0: 60 to 65 | completed at 65");
    CHECK(shortage(play) == GpuTime{2 * 30'000});  // 2 GPUs from 20 to 50
  }
  SECTION("or until capacity is back") {
    make.step(pool, 40s, 3);
    const Played play{make};
    CHECK(play.job(4) == "leg 2 pool 0: 40 to 45 | completed at 45");
    CHECK(shortage(play) == GpuTime{2 * 20'000});
  }
  SECTION("in part: it grants again when the leases are within the capacity") {
    make.step(pool, 35s, 1);
    make.job({.at = 45s, .work = 5s, .job_class = 1});
    const Played play{make};
    CHECK(play.job(4) == "leg 2 pool 0: 50 to 55 | completed at 55");
    CHECK(play.job(5) == "refused at 45");
    CHECK(shortage(play) == GpuTime{2 * 15'000 + 15'000});
  }
}

TEST_CASE("Leaving leases are no shortage", "[rules]") {
  WorldBuilder make = three_classes(2, spot_with(30s));
  make.step(PoolId{0}, 10s, 1);
  make.job({.at = 0s, .work = 100s});
  make.job({.at = 0s, .work = 20s, .gpus = 1, .job_class = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 40 preempted, lost 40 | failed at 40");
  CHECK(play.job(1) == "leg 1 pool 0: 0 to 20 | completed at 20");
  CHECK(shortage(play) == GpuTime{});
}

TEST_CASE("Shortage counts each capacity source, and the window alone", "[rules]") {
  WorldBuilder make = three_classes(1, spot());
  make.world.begin = kStart - 20s;
  std::vector<CapacitySource>& sources = make.world.pools[0].capacity;
  sources.assign(2, CapacitySource{});
  sources[0].classes[static_cast<std::size_t>(LeaseClass::on_demand)] = true;
  sources[0].steps = {{.at = make.world.begin, .gpus = GpuCount{2}},
                      {.at = kStart - 5s, .gpus = GpuCount{1}}};
  sources[1].classes[static_cast<std::size_t>(LeaseClass::flex)] = true;
  sources[1].steps = {{.at = make.world.begin, .gpus = GpuCount{4}},
                      {.at = kStart + 10s, .gpus = GpuCount{0}}};
  make.tenant_leg({.policy = on_demand(), .places = {PoolId{0}}});
  make.tenant({.at = -10s, .work = 25s, .gpus = 2});             // 1 beyond its capacity from -5 to 15
  make.job({.at = 0s, .work = 20s, .gpus = 4, .job_class = 2});  // 4 beyond it from 10 to 20
  CHECK(shortage(Played{make}) == GpuTime{15'000 + 4 * 10'000});
}

TEST_CASE("A delayed lease of a stronger class begins though its capacity has fallen meanwhile", "[rules]") {
  WorldBuilder make = three_classes(2, spot_with(30s));
  make.step(PoolId{0}, 20s, 1);
  make.step(PoolId{0}, 30s, 0);
  make.job({.at = 0s, .work = 100s, .gpus = 2});
  make.job({.at = 10s, .work = 5s, .gpus = 2, .job_class = 1});  // job 0 is leaving from 10 to 40
  const Played play{make};
  CHECK(play.job(1) == "leg 1 pool 0: 10 works 40 to 45 | completed at 45");
  CHECK(shortage(play) == GpuTime{10'000 + 2 * 15'000});
}
