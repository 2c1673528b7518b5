// Simulated waits beside recorded ones, worked by hand. One machine that starts up for 10 min, four jobs of 1
// h:
//   0 (a) at 0:00, works from 0:10: a wait of 10 min     1 (b) at 0:00, works from 1:20: 80 min
//   2 (b) at 0:30, gives up after 1 h: never starts      3 (a) at 0:40, works from 2:30: 110 min

#include <catch2/catch.hpp>

#include "models/history/waits_against.h"
#include "models/simulation/simulate.h"
#include "tests/support/worlds/world_builder.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

WorldBuilder one_machine() {
  WorldBuilder make;
  make.world.classes[0].name = "a";
  make.world.classes.push_back({.name = "b"});
  Policy queued = flex();
  queued.start_up = Law{.a = 10min};
  make.leg({.policy = queued, .places = {make.pool(1)}});
  make.job({.at = 0min, .work = 1h});
  make.job({.at = 0min, .work = 1h, .job_class = 1});
  make.job({.at = 30min, .work = 1h, .max_wait = 1h, .job_class = 1});
  make.job({.at = 40min, .work = 1h});
  return make;
}

// The same jobs as a cluster recorded them a day later, the wait of the last not known; one after the window;
// one that was refused, and one that was refused after the window.
constexpr SimDuration kLater = 24h;
Trace record_of_them() {
  Trace trace;
  trace.file = "sacct.txt";
  for (const SimDuration at :
       {SimDuration{0min}, SimDuration{0min}, SimDuration{30min}, SimDuration{40min}, SimDuration{2h}}) {
    trace.submit_ms.push_back((at + kLater).count());
    trace.row.push_back(trace.row.size());
  }
  trace.recorded_wait = {5min, 20min, 30min, SimDuration{-1}, 1min};
  trace.job_class = {.names = {"b", "c"}, .codes = {1, 0, 0, 1, 1}};
  trace.unserved.classes = {"a"};
  trace.unserved.gpus = {""};
  for (const SimDuration at : {SimDuration{10min}, SimDuration{1h}})
    trace.unserved.jobs.push_back(
        {.submit_ms = (at + kLater).count(), .outcome = RecordedOutcome::refused, .job_class = 0});
  return trace;
}

double figure(const WaitEstimates& estimates, WaitFigure which) {
  const auto& found = estimates[static_cast<std::size_t>(which)];
  return found ? found->mean : -1;
}

// Started, mean, p50 and p95 in minutes, never started, refused.
void check(const WaitEstimates& estimates, const std::vector<double>& expected) {
  CHECK(figure(estimates, WaitFigure::started) == expected[0]);
  CHECK(figure(estimates, WaitFigure::mean_h) * 60 == Approx(expected[1]));
  CHECK(figure(estimates, WaitFigure::p50_h) * 60 == Approx(expected[2]));
  CHECK(figure(estimates, WaitFigure::p95_h) * 60 == Approx(expected[3]));
  CHECK(figure(estimates, WaitFigure::never_started) == expected[4]);
  CHECK(figure(estimates, WaitFigure::refused) == expected[5]);
}

}  // namespace

TEST_CASE("Jobs that are the recorded ones are compared one by one, in the world's classes", "[history]") {
  const World world = one_machine().build();
  const Trace trace = record_of_them();
  WaitsAgainstBook book{world, trace, SameJobs{.source = SourceId{0}, .shift_ms = -kLater.count()}};
  book.add(1, simulate(world, 0, 1));
  book.add(0, simulate(world, 0, 0));
  const WaitsAgainst waits = book.result();

  REQUIRE(waits.match);
  CHECK(waits.match->matched == 3);
  CHECK(waits.match->wait_unknown == 1);
  CHECK(waits.match->not_simulated == 1);
  CHECK(waits.match->others == 0);
  check(waits.all.recorded, {3, 55.0 / 3, 20, 30, 1, 1});
  check(waits.all.simulated, {2, 45, 10, 80, 1, 0});
  CHECK(figure(waits.all.recorded, WaitFigure::expired) == 0);
  CHECK(figure(waits.all.simulated, WaitFigure::expired) == 1);  // at its hour of waiting
  check(waits.all.difference, {2, 32.5, 5, 60, 0, 0});
  REQUIRE(waits.classes.size() == 2);
  CHECK(waits.classes[0].job_class == "a");
  check(waits.classes[0].recorded, {1, 5, 5, 5, 1, 1});
  check(waits.classes[0].simulated, {1, 10, 10, 10, 0, 0});
  CHECK(waits.classes[1].job_class == "b");
  check(waits.classes[1].recorded, {2, 25, 20, 30, 0, 0});
  check(waits.classes[1].simulated, {1, 80, 80, 80, 1, 0});
  check(waits.classes[1].difference, {1, 60, 60, 60, 0, 0});

  CHECK(waits.replications == 2);
  const auto& mean = *waits.all.simulated[static_cast<std::size_t>(WaitFigure::mean_h)];
  CHECK(mean.count == 2);
  CHECK(mean.half_width == 0.0);
}

TEST_CASE("Recorded jobs whose time to wait was over stand beside simulated ones", "[history]") {
  const World world = one_machine().build();
  Trace trace = record_of_them();
  trace.unserved.jobs.front().outcome = RecordedOutcome::expired;
  WaitsAgainstBook book{world, trace, std::nullopt};
  book.add(0, simulate(world, 0, 0));
  const WaitsAgainst waits = book.result();
  CHECK(figure(waits.all.recorded, WaitFigure::never_started) == 2);
  CHECK(figure(waits.all.recorded, WaitFigure::refused) == 1);
  CHECK(figure(waits.all.recorded, WaitFigure::expired) == 1);
  CHECK(figure(waits.all.simulated, WaitFigure::expired) == 1);
}

TEST_CASE("Other jobs are compared by the names of their classes", "[history]") {
  const World world = one_machine().build();
  const Trace trace = record_of_them();
  WaitsAgainstBook book{world, trace, std::nullopt};
  book.add(0, simulate(world, 0, 0));
  const WaitsAgainst waits = book.result();

  CHECK_FALSE(waits.match);
  check(waits.all.recorded, {4, 14, 5, 30, 2, 2});
  check(waits.all.simulated, {3, 200.0 / 3, 80, 110, 1, 0});
  CHECK(figure(waits.all.difference, WaitFigure::started) == -1);
  REQUIRE(waits.classes.size() == 3);
  check(waits.classes[0].simulated, {2, 60, 10, 110, 0, 0});
  CHECK(figure(waits.classes[0].recorded, WaitFigure::never_started) == 2);
  CHECK(figure(waits.classes[0].recorded, WaitFigure::mean_h) == -1);
  check(waits.classes[1].recorded, {2, 25, 20, 30, 0, 0});
  CHECK(waits.classes[2].job_class == "c");
  CHECK(figure(waits.classes[2].simulated, WaitFigure::started) == -1);
}

TEST_CASE("A job whose run ends while its machine starts up has not started", "[history]") {
  WorldBuilder make = one_machine();
  make.world.end = RunEnd::time;
  make.job({.at = 55min, .work = 1h});
  make.world.window_end = kStart + 75min;  // job 1 was granted at 1:10
  const World world = make.build();
  const Trace trace = record_of_them();
  WaitsAgainstBook book{world, trace, std::nullopt};
  book.add(0, simulate(world, 0, 0));
  check(book.result().all.simulated, {1, 10, 10, 10, 4, 0});
}
