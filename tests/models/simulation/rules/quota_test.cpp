// Quotas (models/simulation/README.md, section 14). Times in seconds; every GPU is a machine and a unit.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// A quota of all pools that there are by now, for all classes.
QuotaBucket& add_quota(WorldBuilder& make, std::int64_t limit) {
  QuotaBucket& quota = make.world.quotas.emplace_back();
  quota.pools.fill(std::vector<bool>(make.world.pools.size(), true));
  quota.units = {1};
  quota.steps = {{.at = make.world.begin, .limit = limit}};
  return quota;
}

/// One leg in a pool of 100 GPUs, under a quota.
WorldBuilder under_quota(const Policy& policy, std::int64_t limit, const QuotaRule& rule = {}) {
  WorldBuilder make;
  make.leg({.policy = policy, .places = {make.pool(100)}});
  add_quota(make, limit);
  make.world.strategies[0].quota = rule;
  return make;
}

constexpr QuotaRule kWaits{.when_short = WhenShort::wait};
constexpr QuotaRule kWaitsAtStart{.when_short = WhenShort::wait, .taken_at = QuotaTaken::start};

SimDuration quota_wait(const Played& play, std::uint64_t job) {
  return play.record().jobs.at(job).quota.wait;
}

std::uint32_t refusals(const Played& play, std::uint64_t job) {
  return play.record().jobs.at(job).quota.refusals;
}

std::uint64_t requests(const Played& play, std::size_t pool, LeaseClass of) {
  return play.record().pools[pool].classes[static_cast<std::size_t>(of)].requests;
}

}  // namespace

TEST_CASE("A job that finds too little quota is refused, though there is capacity", "[rules]") {
  WorldBuilder make = under_quota(on_demand(), 4);
  make.job({.at = 0s, .work = 10s, .gpus = 3});
  make.job({.at = 1s, .work = 10s, .gpus = 2});
  make.job({.at = 10s, .work = 10s, .gpus = 4});  // what ended has given back
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "refused at 1");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(refusals(play, 1) == 1);
  CHECK(requests(play, 0, LeaseClass::on_demand) == 2);  // the pool was not asked
}

TEST_CASE("A refusal for want of quota goes by the row's retries, and is no wait for capacity", "[rules]") {
  Policy row = on_demand();
  row.retries = 2;
  row.retry_interval = 4s;
  WorldBuilder make = under_quota(row, 4);
  make.job({.at = 0s, .work = 8s, .gpus = 3});
  make.job({.at = 1s, .work = 10s, .gpus = 2});
  make.job({.at = 2s, .work = 10s, .gpus = 4});
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 9 to 19 | completed at 19");
  CHECK(quota_wait(play, 1) == 8s);
  CHECK(refusals(play, 1) == 2);
  CHECK(play.job(2) == "failed at 10");
  CHECK(refusals(play, 2) == 3);
}

TEST_CASE("Jobs wait for quota in order of coming, and nobody passes the first", "[rules]") {
  WorldBuilder make = under_quota(on_demand(), 4, kWaits);
  make.job({.at = 0s, .work = 10s, .gpus = 3});
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  make.job({.at = 2s, .work = 10s, .gpus = 1});                  // would fit
  make.job({.at = 3s, .work = 10s, .gpus = 1, .max_wait = 2s});  // leaves the line
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(2) == "leg 0 pool 0: 20 to 30 | completed at 30");
  CHECK(play.job(3) == "expired at 5");
  CHECK(quota_wait(play, 1) == 9s);
  CHECK(quota_wait(play, 2) == 18s);
  CHECK(quota_wait(play, 3) == 2s);
  CHECK(refusals(play, 1) == 0);
}

TEST_CASE("Who waits for another set of quotas stands in another line", "[rules]") {
  WorldBuilder make;
  const PoolId one = make.pool(100);
  const PoolId two = make.pool(100);
  make.world.classes.resize(2);
  make.leg({.policy = on_demand(), .places = {one}, .classes = {true, false}});
  make.leg({.policy = on_demand(), .places = {two}, .classes = {false, true}});
  add_quota(make, 4).pools.fill({true, false});
  add_quota(make, 4).pools.fill({false, true});
  make.world.strategies[0].quota = kWaits;
  make.job({.at = 0s, .work = 20s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  make.job({.at = 2s, .work = 10s, .gpus = 4, .job_class = 1});
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 20 to 30 | completed at 30");
  CHECK(play.job(2) == "leg 1 pool 1: 2 to 12 | completed at 12");
}

TEST_CASE("A job asks again and again, each time after twice as long, up to a bound", "[rules]") {
  WorldBuilder make = under_quota(
      on_demand(), 4, {.when_short = WhenShort::back_off, .back_off_first = 5s, .back_off_most = 12s});
  make.job({.at = 0s, .work = 30s, .gpus = 3});
  make.job({.at = 1s, .work = 10s, .gpus = 2});  // again at 6, 16, 28, 40
  make.job({.at = 2s, .work = 10s, .gpus = 1});  // fits
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 40 to 50 | completed at 50");
  CHECK(quota_wait(play, 1) == 39s);
  CHECK(refusals(play, 1) == 4);
  CHECK(play.job(2) == "leg 0 pool 0: 2 to 12 | completed at 12");
}

TEST_CASE("An increase lets in who waits for it, and nobody beyond it", "[rules]") {
  WorldBuilder make = under_quota(flex(), 2, kWaits);
  make.world.quotas[0].steps.push_back({.at = kStart + 25s, .limit = 6});
  make.job({.at = 0s, .work = 100s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 25 to 125 | completed at 125");
  CHECK(play.job(1) == "leg 0 pool 0: 125 to 135 | completed at 135");
}

TEST_CASE("A place whose quota is short is passed over, and the next is asked", "[rules]") {
  const Policy policy = GENERATE(on_demand(), flex());
  WorldBuilder make;
  const PoolId one = make.pool(100);
  const PoolId two = make.pool(100);
  make.leg({.policy = policy, .places = {one, two}});
  add_quota(make, 2).pools.fill({true, false});
  make.job({.at = 0s, .work = 10s, .gpus = 1});
  make.job({.at = 1s, .work = 10s, .gpus = 2});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 1: 1 to 11 | completed at 11");
  CHECK(refusals(play, 1) == 1);
  CHECK(requests(play, 0, policy.lease_class) == 1);
}

TEST_CASE("In a race each request takes quota, or only the start does", "[rules]") {
  const bool at_start = GENERATE(false, true);
  WorldBuilder make;
  const PoolId one = make.pool(2);
  const PoolId two = make.pool(2);
  make.world.classes.resize(3);
  make.leg({.policy = flex(), .places = {one, two}});
  add_quota(make, 3);
  make.world.strategies[0].quota = at_start ? kWaitsAtStart : kWaits;
  make.tenant_leg({.policy = on_demand(), .places = {one}, .classes = {false, true, false}});
  make.tenant_leg({.policy = on_demand(), .places = {two}, .classes = {false, false, true}});
  make.tenant({.at = 0s, .work = 20s, .gpus = 2, .job_class = 1});
  make.tenant({.at = 0s, .work = 10s, .gpus = 2, .job_class = 2});
  make.job({.at = 1s, .work = 10s, .gpus = 2});
  const Played play{make};
  CHECK(play.job(0) ==
        (at_start ? "leg 0 pool 1: 10 to 20 | completed at 20" : "leg 0 pool 0: 20 to 30 | completed at 30"));
  CHECK(requests(play, 1, LeaseClass::flex) == (at_start ? 1 : 0));
  CHECK(refusals(play, 0) == (at_start ? 0 : 1));
}

TEST_CASE("A waiting request whose quota is gone at its start goes, and its job waits for quota", "[rules]") {
  const bool at_start = GENERATE(false, true);
  WorldBuilder make;
  const PoolId pool = make.pool(4);
  make.leg({.policy = flex(), .places = {pool}});
  add_quota(make, 2);
  make.world.strategies[0].quota = at_start ? kWaitsAtStart : kWaits;
  make.tenant_leg({.policy = on_demand(), .places = {pool}});
  make.tenant({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 2});
  make.job({.at = 2s, .work = 10s, .gpus = 2});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(1) == "leg 0 pool 0: 20 to 30 | completed at 30");
  CHECK(requests(play, 0, LeaseClass::flex) == (at_start ? 3 : 2));
  CHECK(quota_wait(play, 1) == (at_start ? 10s : 18s));
}

TEST_CASE("A gang takes quota for what it asks for, and gives back machine by machine", "[rules]") {
  WorldBuilder make;
  const PoolId zone = make.pool(6);
  const PoolId other = make.pool(100);
  make.step(zone, 40s, 3);
  make.world.classes.resize(2);
  make.leg({.policy = spot(),
            .places = {zone},
            .classes = {true, false},
            .partial = Partial{.gather = 20s, .interval = 10s},
            .least = 2});
  make.leg({.policy = on_demand(), .places = {other}, .classes = {false, true}});
  add_quota(make, 8);
  make.job({.at = 0s, .work = 100s, .gpus = 8});  // gets 6, and asks for 2 more until 20
  make.job({.at = 19s, .work = 1s, .gpus = 1, .job_class = 1});
  make.job({.at = 20s, .work = 1s, .gpus = 2, .job_class = 1});
  make.job({.at = 39s, .work = 1s, .gpus = 5, .job_class = 1});
  make.job({.at = 41s, .work = 1s, .gpus = 5, .job_class = 1});  // three machines have gone
  const Played play{make};
  CHECK(play.job(1) == "refused at 19");
  CHECK(play.job(2) == "leg 1 pool 1: 20 to 21 | completed at 21");
  CHECK(play.job(3) == "refused at 39");
  CHECK(play.job(4) == "leg 1 pool 1: 41 to 42 | completed at 42");
}

TEST_CASE("A reservation takes its quota from its begin on; jobs on it and tenants take none", "[rules]") {
  WorldBuilder make;
  const PoolId zone = make.pool(8);
  const PoolId held = make.held(zone, 3, 20s);
  make.world.classes.resize(2);
  make.leg({.policy = on_demand(), .places = {zone}, .classes = {true, false}});
  make.leg({.policy = reservation(), .places = {held}, .classes = {false, true}});
  add_quota(make, 4);
  make.tenant_leg({.policy = on_demand(), .places = {zone}});
  make.tenant({.at = 0s, .work = 5s, .gpus = 5});
  make.job({.at = 1s, .work = 5s, .gpus = 2});
  make.job({.at = 21s, .work = 5s, .gpus = 2});
  make.job({.at = 22s, .work = 5s, .gpus = 3, .job_class = 1});
  make.job({.at = 23s, .work = 5s, .gpus = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 1 to 6 | completed at 6");
  CHECK(play.job(1) == "refused at 21");
  CHECK(play.job(2) == "leg 1 pool 1: 22 to 27 | completed at 27");
  CHECK(play.job(3) == "leg 0 pool 0: 23 to 28 | completed at 28");
}

TEST_CASE("The wait of a job is for quota, then for capacity, then for its start", "[rules]") {
  Policy row = flex();
  row.start_up = Law{.a = 3s};
  WorldBuilder make;
  const PoolId pool = make.pool(4);
  make.leg({.policy = row, .places = {pool}});
  add_quota(make, 2);
  make.world.strategies[0].quota = kWaits;
  make.tenant_leg({.policy = on_demand(), .places = {pool}});
  make.tenant({.at = 9s, .work = 21s, .gpus = 2});
  make.job({.at = 0s, .work = 7s, .gpus = 2});   // to 10
  make.job({.at = 1s, .work = 30s, .gpus = 2});  // gets the quota at 10, and the machines at once
  make.tenant({.at = 10s, .work = 21s, .gpus = 2});
  const Played play{make};
  const JobOutcome job = play.record().jobs.at(1);
  CHECK(quota_wait(play, 1) == 9s);
  const SimDuration capacity = job.first_grant - job.released - quota_wait(play, 1);
  CHECK(capacity == 20s);
  CHECK(job.start_delay == 3s);
  CHECK(play.job(1) == "leg 0 pool 0: 30 works 33 to 63 | completed at 63");
}

TEST_CASE("Many jobs may find quota in one instant, and no capacity, one after the other", "[rules]") {
  WorldBuilder make;
  const PoolId pool = make.pool(4);
  make.step(pool, 5s, 0);
  make.leg({.policy = on_demand(), .places = {pool}});
  add_quota(make, 4);
  make.world.strategies[0].quota = kWaits;
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  for (int i = 0; i < 60; ++i) make.job({.at = 1s, .work = 10s, .gpus = 4});
  const Played play{make};
  for (std::uint64_t i = 1; i <= 60; ++i) CHECK(play.job(i) == "refused at 10");
}

TEST_CASE("Where the start takes the quota, jobs start in order of coming, whatever their rows are",
          "[rules]") {
  WorldBuilder make = under_quota(flex(), 1, kWaitsAtStart);
  make.job({.at = 5s, .work = 10s});
  for (int i = 0; i < 3; ++i) make.job({.at = 0s, .work = 10s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(2) == "leg 0 pool 0: 20 to 30 | completed at 30");
  CHECK(play.job(3) == "leg 0 pool 0: 30 to 40 | completed at 40");  // came last, and has the first row
  CHECK(requests(play, 0, LeaseClass::flex) == 6);  // three at 0, then one whenever a unit is free
}

TEST_CASE("Where the start takes the quota, as many go on in an instant as it has room for", "[rules]") {
  WorldBuilder make = under_quota(flex(), 1, kWaitsAtStart);
  make.world.quotas[0].steps.push_back({.at = kStart + 5s, .limit = 3});
  for (int i = 0; i < 5; ++i) make.job({.at = 0s, .work = 10s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 0: 5 to 15 | completed at 15");
  CHECK(play.job(2) == "leg 0 pool 0: 5 to 15 | completed at 15");
  CHECK(play.job(3) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(4) == "leg 0 pool 0: 15 to 25 | completed at 25");
  CHECK(requests(play, 0, LeaseClass::flex) == 5 + 4);
}

TEST_CASE("Jobs that ask again where the start takes the quota do so one after the other", "[rules]") {
  WorldBuilder make = under_quota(flex(), 2,
                                  {.when_short = WhenShort::back_off,
                                   .taken_at = QuotaTaken::start,
                                   .back_off_first = 10s,
                                   .back_off_most = 20s});
  for (int i = 0; i < 5; ++i) make.job({.at = 0s, .work = 10s});
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(3) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(4) == "leg 0 pool 0: 30 to 40 | completed at 40");  // asked at 10 and 30
  CHECK(refusals(play, 4) == 3);                                     // at its start, at 0 and at 10
}

TEST_CASE("A job under a deadline rule does not wait for a cheap leg without quota", "[rules]") {
  const WhenShort when_short = GENERATE(WhenShort::refuse, WhenShort::wait, WhenShort::back_off);
  WorldBuilder make;
  const PoolId cheap = make.pool(100);
  make.leg({.policy = spot(), .places = {cheap}});
  make.leg({.policy = on_demand(), .places = {make.pool(100)}});
  add_quota(make, 1).pools.fill({true, false});
  make.world.strategies[0].quota.when_short = when_short;
  make.world.strategies[0].deadline_rule = DeadlineRule{.tick = 10s, .overhead = 0s};
  make.job({.at = 0s, .work = 15s});
  make.job({.at = 0s, .work = 60s, .deadline = 100s});  // behind at 10
  make.job({.at = 1s, .work = 60s});                    // has time, and looks again at 11 and 21
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 15 | completed at 15");
  CHECK(play.job(1) == "leg 1 pool 1: 10 to 70 | completed at 70");
  CHECK(play.job(2) == "leg 0 pool 0: 21 to 81 | completed at 81");
  CHECK(refusals(play, 1) == 0);
}

TEST_CASE("A job that waits for its safe leg takes the cheap one when that has quota", "[rules]") {
  WorldBuilder make;
  const PoolId cheap = make.pool(100);
  make.leg({.policy = spot(), .places = {cheap}});
  make.leg({.policy = on_demand(), .places = {make.pool(100)}});
  add_quota(make, 1).pools.fill({true, false});
  add_quota(make, 1).pools.fill({false, true});
  make.world.strategies[0].quota = kWaits;
  make.world.strategies[0].deadline_rule = DeadlineRule{.tick = 10s, .overhead = 0s};
  make.job({.at = 0s, .work = 25s, .deadline = 100s});
  make.job({.at = 0s, .work = 60s, .deadline = 60s});  // safe at once
  make.job({.at = 0s, .work = 50s, .deadline = 400s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 25 | completed at 25");
  CHECK(play.job(1) == "leg 1 pool 1: 0 to 60 | completed at 60");
  CHECK(play.job(2) == "leg 0 pool 0: 30 to 80 | completed at 80");  // in line for safe from 10 on
  CHECK(quota_wait(play, 2) == 20s);
}

TEST_CASE("What is more than a quota ever is gets refused at once, and holds up nobody", "[rules]") {
  WorldBuilder make = under_quota(on_demand(), 4, kWaits);
  const bool is_held = GENERATE(false, true);
  if (is_held) make.leg({.policy = reservation(), .places = {make.held(PoolId{0}, 1)}, .limit = 0s});
  make.world.quotas[0].steps.push_back({.at = kStart + 25s, .limit = 6});
  make.job({.at = 0s, .work = 10s, .gpus = 7});
  make.job({.at = 1s, .work = 10s, .gpus = 6});
  make.job({.at = 2s, .work = 10s, .gpus = 3});
  const Played play{make};
  CHECK(play.job(0) == "refused at 0");
  if (is_held) {
    CHECK(play.job(1) == "refused at 1");
    CHECK(play.job(2) == "leg 0 pool 0: 2 to 12 | completed at 12");
  } else {
    CHECK(play.job(1) == "leg 0 pool 0: 25 to 35 | completed at 35");
    CHECK(play.job(2) == "leg 0 pool 0: 35 to 45 | completed at 45");
  }
}

TEST_CASE("A leg's patience ends with a refusal for want of quota, and begins anew with the next attempt",
          "[rules]") {
  const WhenShort when_short = GENERATE(WhenShort::refuse, WhenShort::wait, WhenShort::back_off);
  Policy row = flex();
  row.retries = 3;
  row.retry_interval = 10s;
  WorldBuilder make;
  make.leg({.policy = row, .places = {make.pool(100)}, .limit = 15s});
  add_quota(make, 1);
  make.world.strategies[0].quota.when_short = when_short;
  make.job({.at = 0s, .work = 25s});
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 0s, .work = 10s, .max_wait = 22s});
  const Played play{make};
  if (when_short == WhenShort::refuse) {
    CHECK(play.job(1) == "leg 0 pool 0: 30 to 40 | completed at 40");  // after 10, 20 and 30
    CHECK(play.job(2) == "expired at 22");                             // its own maximum wait runs on
  } else {
    CHECK(play.job(1) == "expired at 15");
    CHECK(play.job(2) == "expired at 15");
  }
}
