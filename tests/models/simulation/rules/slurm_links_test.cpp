// Dependencies and arrays of Slurm (models/simulation/README.md, R18.16 to R18.18). Times in seconds.

#include <catch2/catch.hpp>

#include "tests/support/made_up/made_up_slurm.h"
#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Kind = JobLink::Kind;

/// Four nodes of one GPU, whose schedulers work at each event.
WorldBuilder four_nodes() {
  WorldBuilder make;
  make.leg({.policy = reservation(), .places = {make.held(make.pool(100), 4)}, .partition = "gpu"});
  add_partition(make.world, "gpu", {.count = 4, .gpus = 1});
  return make;
}

JobLink on(std::uint64_t row, Kind kind) { return {.on = row, .kind = kind}; }
JobLink task_of(std::uint64_t first, std::uint32_t at_once) {
  return {.on = first, .kind = Kind::task_of, .at_once = at_once};
}

SimDuration held_back(const Played& play, std::uint64_t job) {
  const WaitTimes times = play.record().jobs.at(job).pending_for;
  CHECK(times.sum() == times[WaitCause::held_back]);
  return times[WaitCause::held_back];
}

}  // namespace

TEST_CASE("Under Slurm a job waits until those on which it depends have started, or ended", "[rules]") {
  WorldBuilder make = four_nodes();
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 1s, .work = 5s, .links = {on(0, Kind::after_ok)}});
  make.job({.at = 2s, .work = 5s, .links = {on(0, Kind::after_any), on(1, Kind::after_any)}});
  make.job({.at = 3s, .work = 5s, .links = {on(0, Kind::after)}});
  make.job({.at = 4s, .work = 5s, .links = {on(1, Kind::after)}});
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 1: 10 to 15 | completed at 15");
  CHECK(play.job(2) == "leg 0 pool 1: 15 to 20 | completed at 20");
  CHECK(play.job(3) == "leg 0 pool 1: 3 to 8 | completed at 8");
  CHECK(play.job(4) == "leg 0 pool 1: 10 to 15 | completed at 15");
  CHECK(held_back(play, 1) == 9s);
  CHECK(held_back(play, 2) == 13s);
  CHECK(held_back(play, 3) == 0s);
}

// Job 0 is over its time limit at 8s.
TEST_CASE("Under Slurm a dependency that can never be met is waited for until patience ends", "[rules]") {
  WorldBuilder make = four_nodes();
  make.job({.at = 0s, .work = 10s, .estimate = 8s});
  make.job({.at = 1s, .work = 5s, .max_wait = 20s, .links = {on(0, Kind::after_ok)}});
  make.job({.at = 2s, .work = 5s, .links = {on(0, Kind::after_not)}});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 1: 0 to 8.001, lost 8.001 | failed at 8.001");
  CHECK(play.job(1) == "expired at 21");
  CHECK(held_back(play, 1) == 20s);
  CHECK(play.job(2) == "leg 0 pool 1: 8.001 to 13.001 | completed at 13.001");
}

TEST_CASE("Under Slurm a job that has not come yet holds nothing back", "[rules]") {
  WorldBuilder make = four_nodes();
  make.job({.at = 0s, .work = 10s, .links = {on(1, Kind::after_any), on(0, Kind::after_any)}});
  make.job({.at = 1s, .work = 10s, .links = {on(7, Kind::after_ok)}});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 1: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 1: 1 to 11 | completed at 11");
}

// Row 3 is tired of waiting at 5s. Row 5 is no task.
TEST_CASE("Under Slurm only so many tasks of an array run at a time", "[rules]") {
  WorldBuilder make = four_nodes();
  for (int task = 0; task < 5; ++task) {
    make.job({.at = 0s,
              .work = SimDuration{10s} + SimDuration{1s} * task,
              .max_wait = task == 3 ? SimDuration{5s} : kForever,
              .links = {task_of(0, 2)}});
  }
  make.job({.at = 0s, .work = 10s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 1: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 1: 0 to 11 | completed at 11");
  CHECK(play.job(2) == "leg 0 pool 1: 10 to 22 | completed at 22");
  CHECK(play.job(3) == "expired at 5");
  CHECK(play.job(4) == "leg 0 pool 1: 11 to 25 | completed at 25");
  CHECK(play.job(5) == "leg 0 pool 1: 0 to 10 | completed at 10");
  CHECK(held_back(play, 2) == 10s);
  CHECK(held_back(play, 4) == 11s);
}
