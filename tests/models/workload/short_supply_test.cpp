#include <chrono>

#include <catch2/catch.hpp>

#include "models/workload/short_supply.h"

using namespace stockout;
using namespace std::chrono_literals;

TEST_CASE("Supply was short for jobs that never started or waited longer than they worked",
          "[workload][short_supply]") {
  Trace trace;
  trace.submit_ms = {0, 10, 20, 25, 30, 40, 100};
  trace.work = {1h, 1h, 1min, 1h, 1min, 1h, 1h};
  // at once, longer than its work (twice), shorter than its work, under ten minutes, not known; past the
  // window
  trace.recorded_wait = {0h, 61min, 11min, 59min, 9min, -1ms, 5h};
  trace.unserved.jobs = {{.submit_ms = 15}, {.submit_ms = 100}};
  const ShortSupply found = short_supply(trace, 0, 100);
  CHECK(found.told == 6);
  CHECK(found.waited_long == 2);
  CHECK(found.never_started == 1);
  CHECK(found.share() == Approx(0.5));
  CHECK(short_supply(trace, 100, 200).share() == 1);
  CHECK(short_supply(trace, 200, 300).share() == 0);
  trace.recorded_wait.clear();
  trace.unserved.jobs.clear();
  CHECK(short_supply(trace, 0, 100).told == 0);
}
