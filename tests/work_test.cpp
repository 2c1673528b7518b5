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
