#include <catch2/catch.hpp>

#include "models/execution/work.h"

using namespace stockout;
using namespace std::chrono_literals;

TEST_CASE("A run takes its work and the checkpoints on the way, none at the end", "[execution]") {
  CHECK(run_time(60min, {}) == 60min);
  CHECK(run_time(60min, {.every = 30min, .cost = 1min}) == 61min);
  CHECK(run_time(61min, {.every = 30min, .cost = 1min}) == 63min);
  CHECK(run_time(30min, {.every = 30min, .cost = 1min}) == 30min);
  CHECK(run_time(0min, {.every = 30min, .cost = 1min}) == 0min);
}

TEST_CASE("An interruption keeps what complete checkpoints saved", "[execution]") {
  const Checkpoints rule{.every = 30min, .cost = 1min};
  const auto check = [&](SimDuration ran, SimDuration kept, SimDuration lost) {
    const Progress progress = interrupted_after(ran, rule);
    CHECK(progress.kept == kept);
    CHECK(progress.lost == lost);
  };
  check(0min, 0min, 0min);
  check(29min, 0min, 29min);
  check(30min, 0min, 30min);
  check(31min - 1ms, 0min, 30min);  // the checkpoint is not complete
  check(31min, 30min, 0min);
  check(45min, 30min, 14min);
  check(62min, 60min, 0min);
}

TEST_CASE("Without checkpoints an interruption loses everything, before work begins nothing", "[execution]") {
  CHECK(interrupted_after(45min, {}).kept == 0min);
  CHECK(interrupted_after(45min, {}).lost == 45min);
  CHECK(interrupted_after(-5min, {}).lost == 0min);
}

TEST_CASE("Time on a machine is work over the rate, rounded up; work done is rounded down", "[execution]") {
  CHECK(time_at(kReferenceRate, 7ms) == 7ms);
  CHECK(time_at(2'500'000, 10h) == 4h);
  CHECK(time_at(180'000, 18min) == 100min);
  CHECK(time_at(2'500'000, 1ms) == 1ms);
  CHECK(time_at(2'500'000, 6ms) == 3ms);
  CHECK(time_at(2'500'000, 0ms) == 0ms);
  CHECK(time_at(2'500'000, kForever) == kForever);
  CHECK(work_done(2'500'000, 1h, 10h) == 150min);
  CHECK(work_done(180'000, 1ms, 10h) == 0ms);
  CHECK(work_done(180'000, 50ms, 10h) == 9ms);
  CHECK(work_done(2'500'000, 1ms, 1ms) == 1ms);
  CHECK(work_done(kReferenceRate, 3h, 2h) == 2h);
}

TEST_CASE("The longest work at the least rate is a length that counts", "[execution]") {
  const SimDuration longest = time_at(kLeastRate, kLongestRun);
  CHECK(longest == 1000 * kLongestRun);
  CHECK(work_done(kLeastRate, longest, kLongestRun) == kLongestRun);
  CHECK(work_done(kMostRate, longest, kLongestRun) == kLongestRun);
}

TEST_CASE("Work is done at the end of its time, and not a millisecond before", "[execution]") {
  for (const Rate rate : {kLeastRate, Rate{180'000}, Rate{333'333}, Rate{999'999}, kReferenceRate,
                          Rate{1'000'001}, Rate{2'200'000}, Rate{2'500'000}, Rate{999'999'999}, kMostRate}) {
    for (const SimDuration left : {1ms, 2ms, 3ms, 999ms, 1'000ms, 86'400'001ms, 3'333'333'337ms}) {
      const SimDuration time = time_at(rate, left);
      CHECK(work_done(rate, time, left) == left);
      CHECK(work_done(rate, time - 1ms, left) < left);
    }
  }
}
