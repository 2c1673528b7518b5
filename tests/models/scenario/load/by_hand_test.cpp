#include <chrono>

#include <catch2/catch.hpp>

#include "models/scenario/scenario.h"
#include "models/simulation/simulate.h"

using namespace stockout;
using namespace std::chrono_literals;

// The numbers are those of scenarios/README.md, worked out on paper there.
TEST_CASE("The five jobs of by-hand do to the millisecond what paper says", "[scenario]") {
  const Scenario scenario = load_scenario(std::string{STOCKOUT_SCENARIOS_DIR} + "/by-hand.json");
  const RunRecord record = simulate(scenario.world, 0, 0);
  REQUIRE(record.jobs.size() == 5);
  const JobOutcome steady = record.jobs.at(0);
  CHECK(steady.state == FinalState::completed);
  CHECK(steady.first_grant == kStart);
  CHECK(steady.finished == kStart + 2h + 6min);

  const JobOutcome batch = record.jobs.at(1);
  CHECK(batch.state == FinalState::completed);
  CHECK(batch.first_grant == kStart);
  CHECK(batch.preemptions == 1);
  CHECK(batch.lost == 24min + 30s);
  CHECK(batch.leased == 90min + 30s + 126min);
  CHECK(batch.finished == kStart + 5h + 6min + 30s);

  const JobOutcome urgent = record.jobs.at(2);
  CHECK(urgent.state == FinalState::completed);
  CHECK(urgent.first_grant == kStart + 90min);
  CHECK(urgent.start_delay == 6min + 30s);
  CHECK(urgent.finished == kStart + 2h + 36min + 30s);

  const JobOutcome later = record.jobs.at(3);
  CHECK(later.state == FinalState::completed);
  CHECK(later.first_grant == kStart + 2h + 36min + 30s);
  CHECK(later.finished == kStart + 3h + 42min + 30s);

  const JobOutcome too_late = record.jobs.at(4);
  CHECK(too_late.state == FinalState::failed);
  CHECK(too_late.first_grant == kNever);
  CHECK(too_late.finished == kStart + 2h + 25min);

  CHECK(record.end == kStart + 5h + 6min + 30s);
}
