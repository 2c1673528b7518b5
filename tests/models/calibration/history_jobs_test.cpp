// The jobs of a history beside those of a simulation: which, in which order, and what is known of them when.

#include <catch2/catch.hpp>

#include "models/calibration/history_jobs.h"
#include "models/simulation/simulate.h"
#include "models/workload/trace.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

// 60 jobs of an hour, an hour apart, each of which waited ten minutes; the tenth one for two days.
std::string record() {
  std::string text = "submit,start,end,gpus\n";
  for (int i = 0; i < 60; ++i) {
    const int submit = i * 3'600;
    const int start = submit + (i == 10 ? 2 * 86'400 : 600);
    text +=
        std::to_string(submit) + ',' + std::to_string(start) + ',' + std::to_string(start + 3'600) + ",1\n";
  }
  return text;
}

struct Replayed {
  ScenarioLoader loader;
  std::string file = loader.folder().file("record.csv", record());
  Scenario scenario = loader.load(R"({"name": "replay", "start": "2026-08-03", "prices_as_of": "2026-07-30",
 "prices": [{"machine": "generic", "usd_per_hour": 10}],
 "workload": [{"name": "jobs", "machine": "generic", "trace": {"file": "record.csv", "format": "csv"}}],
 "pools": [{"name": "zone", "family": "generic", "place": "generic", "gpus": 1, "discipline": "fifo"}],
 "models": {"all": {"start_up": "0s"}},
 "strategies": [{"name": "queued", "legs": [{"model": "flex_start", "max_wait": "forever"}]}]})");
  Trace trace = read_trace(file, TraceFormat::csv, {});
  SameJobs same{.source = SourceId{0}, .shift_ms = 0};
};

}  // namespace

TEST_CASE("The jobs of a history and of its replay are the same, in the same order", "[calibration]") {
  const Replayed replayed;
  const HistoryJobs jobs{replayed.scenario.world, replayed.trace, replayed.same, {}};
  const auto simulated = jobs.simulated(replayed.scenario.world, 0, simulate(replayed.scenario.world, 0, 0));
  REQUIRE(jobs.recorded().size() == 60);
  REQUIRE(simulated.size() == 60);
  for (std::size_t i = 0; i < 60; ++i) {
    CHECK(simulated[i].submit == jobs.recorded()[i].submit);
    CHECK(simulated[i].wait == 0s);  // a machine for each hour
    CHECK(jobs.recorded()[i].wait == (i == 10 ? SimDuration{48h} : SimDuration{10min}));
    CHECK(jobs.recorded()[i].hour == i % 24);
  }
}

TEST_CASE("What happened after the split is not known before it", "[calibration]") {
  const Replayed replayed;
  const SimTime split = kStart + 30h;
  const HistorySpan span{.from = kStart, .until = split, .known_until = split};
  const HistoryJobs before{replayed.scenario.world, replayed.trace, replayed.same, span};
  REQUIRE(before.recorded().size() == 30);
  // It was submitted before, and started after: it has waited 20 hours, and waits still.
  CHECK(before.recorded()[10].wait == kForever);
  CHECK(before.recorded()[10].waited == 20h);
  CHECK(before.recorded()[9].wait == 10min);
  CHECK(before.recorded()[9].waited == 0s);
  // Whatever the record says of later makes no difference.
  Trace other = replayed.trace;
  for (std::size_t i = 30; i < other.size(); ++i) other.recorded_wait[i] = 7h;
  other.recorded_wait[10] = 90h;
  const HistoryJobs same_before{replayed.scenario.world, other, replayed.same, span};
  for (std::size_t i = 0; i < 30; ++i) {
    CHECK(same_before.recorded()[i].wait == before.recorded()[i].wait);
    CHECK(same_before.recorded()[i].waited == before.recorded()[i].waited);
  }
  // Nor do simulated waits go beyond it.
  Scenario slow =
      replayed.loader.load(R"({"name": "slow", "start": "2026-08-03", "prices_as_of": "2026-07-30",
 "prices": [{"machine": "generic", "usd_per_hour": 10}],
 "workload": [{"name": "jobs", "machine": "generic", "trace": {"file": "record.csv", "format": "csv"}}],
 "pools": [{"name": "zone", "family": "generic", "place": "generic", "gpus": 1, "discipline": "fifo"}],
 "models": {"all": {"start_up": "90min"}},
 "strategies": [{"name": "queued", "legs": [{"model": "flex_start", "max_wait": "forever"}]}]})");
  const auto simulated = before.simulated(slow.world, 0, simulate(slow.world, 0, 0));
  REQUIRE(simulated.size() == 30);
  CHECK(simulated[0].wait == 90min);
  CHECK(simulated[29].wait == kForever);
  CHECK(simulated[29].waited == 1h);
}

TEST_CASE("A split before which nothing had started says so", "[calibration]") {
  const Replayed replayed;
  const SimTime split = kStart + 5min;
  const HistorySpan span{.from = kStart, .until = split, .known_until = split};
  CHECK_THROWS_WITH((HistoryJobs{replayed.scenario.world, replayed.trace, replayed.same, span}),
                    Catch::Contains("tells of no job that had started where what is known ends"));
}
