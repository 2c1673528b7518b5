// The person who submits a failed job again (design, section 7: "a person is in the loop too";
// models/simulation/README.md, section 13). Times in
// seconds; time 0 is Monday, 2026-08-03, midnight. Every world is run by both implementations.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// One GPU, busy until `busy_until`; a job that asks on demand at 1 s and is refused.
WorldBuilder refused_job(SimDuration busy_until) {
  WorldBuilder make;
  make.leg({.policy = on_demand(), .places = {make.pool(1)}});
  make.job({.at = 0s, .work = busy_until});
  make.job({.at = 1s, .work = 10s});
  return make;
}

}  // namespace

TEST_CASE("A refused job is submitted again by its user after a while", "[rules]") {
  WorldBuilder make = refused_job(25s);
  Resubmission& again = make.world.strategies[0].resubmission.emplace();
  again.after = 20s;
  SECTION("until it gets its GPUs: 1, 21, 41") {
    CHECK(Played{make}.job(1) == "leg 0 pool 0: 41 to 51 | completed at 51");
  }
  SECTION("unless that is too late: 41 is more than 30 s after 1") {
    again.give_up_after = 30s;
    CHECK(Played{make}.job(1) == "refused at 21");
  }
  SECTION("the last moment counts") {
    again.give_up_after = 40s;
    CHECK(Played{make}.job(1) == "leg 0 pool 0: 41 to 51 | completed at 51");
  }
}

TEST_CASE("Jobs are submitted again in office hours only", "[rules]") {
  WorldBuilder make = refused_job(25s);
  Resubmission& again = make.world.strategies[0].resubmission.emplace();
  again.after = 30s;
  again.office_from = 9h;
  again.office_to = 17h;
  SECTION("in the morning: 9 h") {
    CHECK(Played{make}.job(1) == "leg 0 pool 0: 32400 to 32410 | completed at 32410");
  }
  SECTION("by the clock of the place: 9 h at UTC + 2 h is 7 h") {
    make.world.utc_offsets[0].offset = 2h;
    CHECK(Played{make}.job(1) == "leg 0 pool 0: 25200 to 25210 | completed at 25210");
  }
  SECTION("at once within them") {
    make.world.start_date += 16h;
    CHECK(Played{make}.job(1) == "leg 0 pool 0: 31 to 41 | completed at 41");
  }
  SECTION("not on the weekend: Friday 17 h + 31 s, Monday 9 h is 64 h later") {
    make.world.start_date += std::chrono::days{4} + 17h;
    CHECK(Played{make}.job(1) == "leg 0 pool 0: 230400 to 230410 | completed at 230410");
  }
}

TEST_CASE("A new submission has its retries again, but no maximum wait of its own", "[rules]") {
  WorldBuilder make;
  Policy row = on_demand();
  row.retries = 1;
  row.retry_interval = 5s;
  make.leg({.policy = row, .places = {make.pool(1)}});
  make.job({.at = 0s, .work = 37s});
  make.job({.at = 1s, .work = 10s, .max_wait = 30s});
  make.world.strategies[0].resubmission.emplace().after = 10s;
  // 1, retry 6, failed; 16, retry 21, failed; 31, retry 36, failed; 46. The maximum wait would end at 31.
  CHECK(Played{make}.job(1) == "leg 0 pool 0: 46 to 56 | completed at 56");
}

TEST_CASE("A job that expires by its own maximum wait is submitted again too", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = flex(), .places = {make.pool(1)}});
  make.job({.at = 0s, .work = 50s});
  make.job({.at = 1s, .work = 10s, .max_wait = 5s});
  make.world.strategies[0].resubmission.emplace().after = 10s;
  CHECK(Played{make}.job(1) == "leg 0 pool 0: 50 to 60 | completed at 60");  // waits again from 16
}

TEST_CASE("What no leg could ever hold is not submitted again", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = on_demand(), .places = {make.pool(1)}});
  make.job({.at = 0s, .work = 50s, .gpus = 2});
  make.world.strategies[0].resubmission.emplace().after = 10s;
  CHECK(Played{make}.job(0) == "refused at 0");
}
