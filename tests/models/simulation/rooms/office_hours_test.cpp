// The next time within office hours, by the clock of the world's place. The window begins on a Monday, at
// midnight of a place without an offset.

#include <catch2/catch.hpp>

#include "models/simulation/desk/office_hours.h"
#include "tests/support/worlds/world_builder.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const Resubmission kNineToFive{.office_from = 9h, .office_to = 17h};
constexpr SimDuration kDay = 24h;

SimDuration next(const World& world, SimDuration at, const Resubmission& rule = kNineToFive) {
  return next_office_hour(world, kStart + at, rule) - kStart;
}

}  // namespace

TEST_CASE("Without office hours any time will do", "[rooms]") {
  const World world = WorldBuilder{}.build();
  CHECK(next(world, 5 * kDay + 3h, {}) == 5 * kDay + 3h);
}

TEST_CASE("Office hours are from their begin to before their end", "[rooms]") {
  const World world = WorldBuilder{}.build();
  CHECK(next(world, 9h) == 9h);
  CHECK(next(world, 17h - SimDuration{1}) == 17h - SimDuration{1});
  CHECK(next(world, 17h) == kDay + 9h);
  CHECK(next(world, 3h) == 9h);  // early
}

TEST_CASE("There are none at the weekend", "[rooms]") {
  const World world = WorldBuilder{}.build();
  CHECK(next(world, 4 * kDay + 18h) == 7 * kDay + 9h);
  CHECK(next(world, 5 * kDay + 12h) == 7 * kDay + 9h);
  CHECK(next(world, 6 * kDay + 23h) == 7 * kDay + 9h);
}

TEST_CASE("They go by the local clock, which may change before", "[rooms]") {
  WorldBuilder make;
  make.world.utc_offsets = {{.at = kStart - 24h, .offset = 2h}, {.at = kStart + kDay + 1h, .offset = 1h}};
  const World world = make.build();
  CHECK(next(world, 6h) == 7h);          // nine o'clock at two hours ahead
  CHECK(next(world, 16h) == kDay + 8h);  // at one hour ahead, from the night on
  CHECK(next(world, kDay + 7h) == kDay + 8h);
}
