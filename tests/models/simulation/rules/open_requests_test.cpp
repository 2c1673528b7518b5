// A model with a bound on open requests (models/simulation/README.md, section 14). Times in seconds.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

Policy flex_with(std::int32_t open_max, const char* name = "flex_start_mig") {
  Policy policy = flex();
  policy.name = name;
  policy.open_max = open_max;
  return policy;
}

/// Zone pools of one GPU each, busy from 0 on.
struct Busy {
  Busy() { make.world.classes.resize(5); }

  PoolId pool(SimDuration until, Discipline discipline = Discipline::first_fit) {
    const PoolId pool = make.pool(1, discipline);
    std::vector<bool> classes(5, false);
    classes[index(pool)] = true;
    make.tenant_leg({.policy = on_demand(), .places = {pool}, .classes = classes});
    make.tenant({.at = 0s, .work = until, .job_class = index(pool)});
    return pool;
  }

  WorldBuilder make;
};

std::vector<bool> only(std::size_t job_class) {
  std::vector<bool> classes(5, false);
  classes[job_class] = true;
  return classes;
}

/// Of the first pool that there is, for jobs that wait for it.
void add_quota_of_one(WorldBuilder& make) {
  QuotaBucket& quota = make.world.quotas.emplace_back();
  quota.pools.fill({true});
  quota.units = {1};
  quota.steps = {{.at = make.world.begin, .limit = 1}};
  make.world.strategies[0].quota.when_short = WhenShort::wait;
}

}  // namespace

TEST_CASE("A job that finds too many requests open stands in line without one", "[rules]") {
  Busy busy;
  const PoolId pool = busy.pool(10s, Discipline::shortest_first_fit);
  busy.make.leg({.policy = flex_with(2), .places = {pool}});
  busy.make.job({.at = 1s, .work = 10s});
  busy.make.job({.at = 2s, .work = 20s});
  busy.make.job({.at = 3s, .work = 1s});  // the shortest, but its request is made when the first is granted
  const Played play{busy.make};
  CHECK(play.job(0) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(1) == "leg 0 pool 0: 21 to 41 | completed at 41");
  CHECK(play.job(2) == "leg 0 pool 0: 20 to 21 | completed at 21");
  CHECK(play.record().pools[0].peak_waiting == 2);
}

TEST_CASE("A limit is first come, first served, and tenants pass it by", "[rules]") {
  Busy busy;
  const PoolId one = busy.pool(20s);
  const PoolId other = busy.pool(100s);
  busy.make.tenant_leg({.policy = flex_with(3), .places = {one}, .classes = only(4)});
  busy.make.leg({.policy = flex_with(3), .places = {one, other}, .limit = 50s, .classes = only(0)});
  busy.make.leg({.policy = flex_with(3), .places = {one, other}, .limit = 5s, .classes = only(2)});
  busy.make.leg({.policy = flex_with(3), .places = {one}, .classes = only(3)});
  busy.make.job({.at = 1s, .work = 10s, .job_class = 0});  // two requests
  busy.make.job({.at = 2s, .work = 10s, .job_class = 2});  // two more are too many: stands, until 7
  busy.make.job({.at = 3s, .work = 10s, .job_class = 3});  // one would fit, but somebody stands: until 7
  busy.make.tenant({.at = 5s, .work = 10s, .job_class = 4});
  busy.make.job({.at = 6s, .work = 10s, .job_class = 3});  // when the first is granted
  busy.make.job({.at = 40s, .work = 10s, .job_class = 3});
  const Played play{busy.make};
  CHECK(play.job(0) == "leg 0 pool 0: 20 to 30 | completed at 30");
  CHECK(play.job(1) == "expired at 7");
  CHECK(play.job(2) == "leg 2 pool 0: 40 to 50 | completed at 50");
  CHECK(play.job(3) == "leg 2 pool 0: 50 to 60 | completed at 60");
  CHECK(play.job(4) == "leg 2 pool 0: 60 to 70 | completed at 70");
}

TEST_CASE("Kept requests count, and a job in line expires with the leg or by itself", "[rules]") {
  Busy busy;
  const PoolId flexible = busy.pool(50s);
  const PoolId fixed = busy.pool(100s);
  busy.make.leg({.policy = flex_with(1), .places = {flexible}, .limit = 5s, .keep = true});
  busy.make.leg({.policy = on_demand(), .places = {fixed}});
  busy.make.job({.at = 1s, .work = 10s});                   // its request is kept from 6 on
  busy.make.job({.at = 7s, .work = 10s});                   // in line until 12, then on demand
  busy.make.job({.at = 20s, .work = 10s, .max_wait = 3s});  // gives up itself
  busy.make.job({.at = 30s, .work = 10s, .max_wait = 0s});
  const Played play{busy.make};
  CHECK(play.job(0) == "leg 0 pool 0: 50 to 60 | completed at 60");
  CHECK(play.job(1) == "refused at 12");
  CHECK(play.job(2) == "expired at 23");
  CHECK(play.job(3) == "expired at 30");
}

TEST_CASE("A job in line may be granted by a kept request, and is gone from the line", "[rules]") {
  Busy busy;
  const PoolId first = busy.pool(10s);
  const PoolId second = busy.pool(20s);
  busy.make.leg({.policy = flex_with(0, "flex_start"),
                 .places = {first},
                 .limit = 2s,
                 .keep = true,
                 .classes = only(2)});
  busy.make.leg({.policy = flex_with(1), .places = {second}});
  busy.make.job({.at = 1s, .work = 10s});                  // the one request
  busy.make.job({.at = 2s, .work = 10s, .job_class = 2});  // in line from 4 on
  busy.make.job({.at = 5s, .work = 10s});                  // behind it
  const Played play{busy.make};
  CHECK(play.job(0) == "leg 1 pool 1: 20 to 30 | completed at 30");
  CHECK(play.job(1) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(2) == "leg 1 pool 1: 30 to 40 | completed at 40");
}

TEST_CASE("A leg that is tried for the instant only makes its requests at once or not at all", "[rules]") {
  Busy busy;
  const PoolId pool = busy.make.pool(3);
  busy.make.leg({.policy = flex_with(1), .places = {pool}, .limit = 0s});
  busy.make.job({.at = 1s, .work = 10s});
  busy.make.job(
      {.at = 1s, .work = 10s});  // the first is granted in this round, the patience ends in the next
  const Played play{busy.make};
  CHECK(play.job(0) == "leg 0 pool 0: 1 to 11 | completed at 11");
  CHECK(play.job(1) == "expired at 1");
}

TEST_CASE("Those who have left a long line are forgotten", "[rules]") {
  Busy busy;
  const PoolId pool = busy.pool(1'000s);
  busy.make.leg({.policy = flex_with(1), .places = {pool}});
  for (int i = 0; i < 300; ++i) busy.make.job({.at = 1s * i, .work = 1s, .max_wait = i < 2 ? kForever : 50s});
  const Played play{busy.make};
  CHECK(play.job(0) == "leg 0 pool 0: 1000 to 1001 | completed at 1001");
  CHECK(play.job(1) == "leg 0 pool 0: 1001 to 1002 | completed at 1002");
  CHECK(play.job(299) == "expired at 349");
}

TEST_CASE("A limit of 0 ends before anybody takes a further step", "[rules]") {
  Busy busy;
  const PoolId pool = busy.pool(10s, Discipline::fifo);
  busy.make.leg({.policy = spot(), .places = {pool}, .classes = {true, false, true, false, false}});
  busy.make.leg({.policy = flex_with(1), .places = {pool}, .limit = 0s, .classes = only(1)});
  busy.make.leg({.policy = flex_with(1), .places = {pool}, .classes = only(0)});
  busy.make.leg({.policy = flex_with(0, "other"), .places = {pool}, .classes = only(2)});
  busy.make.job(
      {.at = 1s, .work = 10s, .job_class = 0});  // finds the one open request closed in the next round
  busy.make.job({.at = 1s, .work = 10s, .job_class = 1});
  busy.make.job({.at = 1s, .work = 10s, .job_class = 2});  // asks after it, in the same queue
  const Played play{busy.make};
  CHECK(play.job(0) == "leg 2 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(1) == "expired at 1");
  CHECK(play.job(2) == "leg 3 pool 0: 20 to 30 | completed at 30");
}

TEST_CASE("A job asks its group before its quota", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = on_demand(), .places = {make.pool(100)}});
  add_quota_of_one(make);
  make.world.classes[0].parallel = 1;
  make.job({.at = 0s, .work = 10s, .group = 1});
  make.job({.at = 1s, .work = 10s, .group = 1});  // let go at 10, and behind the next in the line for quota
  make.job({.at = 2s, .work = 10s});
  const Played play{make};
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(1) == "leg 0 pool 0: 20 to 30 | completed at 30");
  CHECK(play.record().jobs.at(1).quota.wait == 10s);
  CHECK(play.record().jobs.at(2).quota.wait == 8s);
}

TEST_CASE("A job asks its quota before the bound on open requests", "[rules]") {
  WorldBuilder make;
  const PoolId one = make.pool(100);
  const PoolId two = make.pool(100);
  make.world.classes.resize(2);
  Policy row = flex();
  row.open_max = 1;
  make.leg({.policy = row, .places = {one}, .classes = {true, false}});
  make.leg({.policy = row, .places = {two}, .classes = {false, true}});
  add_quota_of_one(make);
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 1s, .work = 10s});  // waits for quota, without a request
  make.job({.at = 2s, .work = 10s, .job_class = 1});
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(2) == "leg 1 pool 1: 2 to 12 | completed at 12");
}
