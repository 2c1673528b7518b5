// Who holds quota of Kueue's, and until when (models/simulation/README.md, R17.8, R17.9 and R17.13). Times in
// seconds; every GPU is a machine.

#include <catch2/catch.hpp>

#include "tests/support/made_up/made_up_kueue.h"
#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

WaitTimes pending_for(const Played& play, std::uint64_t job) {
  return play.record().jobs.at(job).pending_for;
}

WaitTimes only(WaitCause cause, SimDuration length) {
  WaitTimes times;
  times[cause] = length;
  return times;
}

}  // namespace

TEST_CASE("Who is given up frees its quota before its pods are gone", "[rules]") {
  Policy row = on_demand();
  row.notice = 2s;
  row.start_up = {.a = 10s};  // too long for any pods
  WorldBuilder make;
  make.leg({.policy = row, .places = {make.pool(100)}, .flavor = "gpu"});
  add_queue(make.world, "team", {gpu_quota("gpu", 4)});
  make.world.kueue->settings.pods_ready = kueue::WaitForPodsReady{.timeout = 5s, .backoff_limit = 0};
  make.job({.at = 0s, .work = 20s, .gpus = 4});
  make.job({.at = 1s, .work = 20s, .gpus = 4});  // asks at 5
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 7 to 7 preempted | failed at 7");
  CHECK(play.job(1) == "leg 0 pool 0: 5 works 12 to 12 preempted | failed at 12");
  CHECK(pending_for(play, 1) == only(WaitCause::quota, 4s));
  CHECK(play.record().kueue_queues.at("team").held == GpuCount{4} * SimDuration{10s});
}

TEST_CASE("Who waits for capacity with its quota blocks admission as who starts does", "[rules]") {
  WorldBuilder make;
  add_urgent_class(make.world);
  make.leg({.policy = flex(), .places = {make.pool(4)}, .flavor = "dws"});
  make.leg({.policy = on_demand(), .places = {make.pool(100)}, .flavor = "gpu"});
  add_queue(make.world, "a", {gpu_quota("dws", 8)}, {.classes = {true, false}}).checks = {
      {.name = "capacity"}};
  add_queue(make.world, "b", {gpu_quota("gpu", 8)}, {.classes = {false, true}});
  make.world.kueue->checks["capacity"] = {};
  make.world.kueue->settings.pods_ready = kueue::WaitForPodsReady{.timeout = 1h, .block_admission = true};
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 4});  // waits for machines until 10
  make.job({.at = 2s, .work = 10s, .gpus = 4, .job_class = 1});
  const Played play{make};
  CHECK(play.job(2) == "leg 1 pool 1: 10 to 20 | completed at 20");
  CHECK(pending_for(play, 2) == only(WaitCause::blocked, 8s));
}

TEST_CASE("A request for capacity that fails is made again, later and with quota of its own", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = flex(), .places = {make.pool(4)}, .limit = 4s, .flavor = "dws"});
  add_queue(make.world, "team", {gpu_quota("dws", 8)}).checks = {{.name = "capacity"}};
  make.world.kueue->checks["capacity"] = {.limit = 1, .base = 5s};
  SECTION("and may come then") {
    make.job({.at = 0s, .work = 12s, .gpus = 4});
    make.job({.at = 1s, .work = 10s, .gpus = 4});  // waits to 5, and from 10
    const Played play{make};
    CHECK(play.job(1) == "leg 0 pool 0: 12 to 22 | completed at 22");
    CHECK(play.record().jobs.at(1).kueue.wait == 5s);
    CHECK(play.record().evictions == Evictions{{{.queue = "team", .reason = "AdmissionCheck", .by = ""}, 1}});
  }
  SECTION("but not for ever") {
    make.job({.at = 0s, .work = 30s, .gpus = 4});
    make.job({.at = 1s, .work = 10s, .gpus = 4});
    CHECK(Played{make}.job(1) == "expired at 14");
  }
  SECTION("unless the job is tired of it") {
    make.job({.at = 0s, .work = 30s, .gpus = 4});
    make.job({.at = 1s, .work = 10s, .gpus = 4, .max_wait = 7s});
    CHECK(Played{make}.job(1) == "expired at 8");
  }
}

TEST_CASE("A request for capacity that is refused at once is an eviction each time that it is made again",
          "[rules]") {
  Policy row = on_demand();
  row.retries = 0;
  WorldBuilder make;
  make.leg({.policy = row, .places = {make.pool(8)}, .flavor = "gpu"});
  add_queue(make.world, "team", {gpu_quota("gpu", 4)}).checks = {{.name = "capacity"}};
  make.world.kueue->checks["capacity"] = {.limit = 2, .base = 5s};
  make.step(PoolId{0}, 0s, 0);
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  const Played play{make};
  CHECK(play.record().jobs.at(0).kueue.evictions == 2);
  CHECK(play.record().jobs.at(0).kueue.wait == 15s);
  CHECK(play.record().evictions == Evictions{{{.queue = "team", .reason = "AdmissionCheck", .by = ""}, 2}});
}
