// When held capacity is late.

#include <catch2/catch.hpp>

#include "models/measures/measures.h"
#include "tests/support/made_up/measured_world.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

TEST_CASE("Held capacity that came late is late from when it was due in the window", "[measures]") {
  World world = measured_world({});
  world.held[0].from = at(-5h);
  RunRecord record = empty_record(world);
  const auto late = [&](SimTime since) {
    record.held_since = {since};
    const Measures measures = measure(world, 0, 0, record, {.by = GroupBy::pool, .goal = std::nullopt});
    REQUIRE(measures.held.size() == 1);
    CHECK(measures.held[0].late == measures.total[Measure::held_late]);
    CHECK(measures.groups[2][Measure::held_late] == measures.total[Measure::held_late]);
    CHECK(measures.groups[0][Measure::held_late].is_absent());
    return measures.total;
  };
  CHECK(late(at(-1h))[Measure::held_late] == Value::exact(0));
  CHECK(late(at(3h))[Measure::held_late] == Value::exact(3));
  CHECK(late(at(3h))[Measure::commitment].value == Approx(2 * 8760 * 1.8));
  CHECK(late(kNever)[Measure::held_late] == Value::at_least(24));
  CHECK(late(kNever)[Measure::commitment] == Value::exact(0));
  world.held[0].from = at(2h);
  CHECK(late(at(3h))[Measure::held_late] == Value::exact(1));
}

TEST_CASE("A pool that grows is due once it holds a least number and a machine has started up",
          "[measures]") {
  World world = measured_world({});
  RunRecord record = empty_record(world);
  world.held[0].scaling = Scaling{.cold_start = {.a = 10min}};
  const auto late = [&](SimTime since) {
    record.held_since = {since};
    return measure(world, 0, 0, record, {.by = GroupBy::nothing, .goal = std::nullopt})
        .total[Measure::held_late];
  };
  CHECK(late(at(5h)) == Value::exact(0));  // nothing is held unless a job asks
  CHECK(late(kNever) == Value::exact(0));
  world.held[0].scaling->steps = {{.at = at(2h), .least = MachineCount{1}}};
  CHECK(late(at(2h) + 10min) == Value::exact(0));
  CHECK(late(at(3h) + 10min) == Value::exact(1));
  world.held[0].scaling->least = MachineCount{1};
  CHECK(late(at(3h) + 10min) == Value::exact(3));
  CHECK(late(kNever).known == Value::Known::at_least);
}
