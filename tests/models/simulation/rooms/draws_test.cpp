// The random numbers: every random number has a key of its own.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/simulation/books/draws.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const Law kConstant{.a = 5s};
const Law kRandom{.kind = Law::Kind::uniform, .a = 10s, .b = 1'000'000s};

World world_with(const Policy& policy) {
  WorldBuilder make;
  const PoolId pool = make.pool(8);
  make.shape(1);
  make.leg({.policy = policy, .places = {pool}});
  return make.build();
}

// What a recorder and random numbers of their own come to.
struct Thrown {
  UpToBooks floors{world_with(spot())};
  Draws& draws = floors.known.draws;
  SimDuration length(std::uint64_t row, std::uint64_t number) {
    return draws.length(kRandom, {.row = row}, Purpose::start_up, number);
  }
  [[nodiscard]] bool drew() { return floors.known.recorder.finish(0, {}).drew; }
};

}  // namespace

TEST_CASE("A length depends on its key, not on what was drawn before", "[rooms]") {
  Thrown one;
  Thrown other;
  const SimDuration first = one.length(1, 1);
  const SimDuration of_another_job = one.length(2, 1);
  const SimDuration second = one.length(1, 2);
  CHECK(other.length(1, 2) == second);
  CHECK(other.length(2, 1) == of_another_job);
  CHECK(other.length(1, 1) == first);
  CHECK(first != of_another_job);
  CHECK(first != second);
  CHECK(first != one.draws.length(kRandom, {.row = 1}, Purpose::provisioning, 1));
}

TEST_CASE("Only random laws make a record depend on chance", "[rooms]") {
  Thrown thrown;
  CHECK(thrown.draws.length(kConstant, {}, Purpose::start_up, 1) == 5s);
  CHECK(thrown.draws.cold_start(kConstant, 0, 1) == 5s);
  const bool is_random = GENERATE(false, true);
  if (is_random) CHECK(thrown.length(1, 1) >= 10s);
  CHECK(thrown.drew() == is_random);
}

TEST_CASE("A machine without a law lives for ever, any other for a second at least", "[rooms]") {
  Policy policy = spot();
  const SimDuration life = GENERATE(as<SimDuration>{}, kForever, 0s, 9s);
  policy.lifetime = {.a = life};
  UpToBooks floors{world_with(policy)};
  const Lease lease{.asked = {.leg = &floors.world.strategies[0].legs[0]}};
  CHECK(floors.known.draws.machine_life(lease, {}, 0) == (life == 0s ? 1s : life));
}

TEST_CASE("A gang waits for the machine that fails its health tests most often", "[rooms]") {
  Policy policy = spot();
  policy.health = {.takes = 10s, .fails_ppm = 0, .replace = 60s};
  UpToBooks sound{world_with(policy)};
  CHECK(sound.known.draws.health_tests({.asked = {.leg = &sound.world.strategies[0].legs[0]}}, {}, 0, 64) ==
        10s);
  policy.health.fails_ppm = 500'000;
  UpToBooks floors{world_with(policy)};
  const Lease lease{.asked = {.leg = &floors.world.strategies[0].legs[0]}};
  const auto tests = [&](std::int64_t machines) {
    return floors.known.draws.health_tests(lease, {}, 0, static_cast<std::size_t>(machines));
  };
  CHECK((tests(64) - 10s) % 70s == 0s);
  CHECK(tests(64) > 10s);
  for (std::int64_t machines = 1; machines < 64; ++machines) CHECK(tests(machines) <= tests(machines + 1));
}

TEST_CASE("A booking that is sure needs no luck, and luck is the held pool's", "[rooms]") {
  Thrown thrown;
  CHECK_FALSE(thrown.draws.accepts({.accept_ppm = 0}, 0));
  CHECK(thrown.draws.accepts({.accept_ppm = 1'000'000}, 0));
  const bool is_asked = GENERATE(false, true);
  if (is_asked) {
    std::size_t accepted = 0;
    for (std::size_t held = 0; held < 1'000; ++held)
      accepted += thrown.draws.accepts({.accept_ppm = 300'000}, held);
    CHECK(accepted > 200);
    CHECK(accepted < 400);
    CHECK(thrown.draws.accepts({.accept_ppm = 300'000}, 7) ==
          thrown.draws.accepts({.accept_ppm = 300'000}, 7));
  }
  CHECK(thrown.drew() == is_asked);
}
