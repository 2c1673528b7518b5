// Kueue before the legs (models/simulation/README.md, section 17). Times in seconds; every GPU is a machine.

#include <string>

#include <catch2/catch.hpp>

#include "tests/support/made_up/made_up_kueue.h"
#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// One leg in a pool of so many GPUs, as the flavor "gpu" of one queue, "team", with a quota of its own.
WorldBuilder one_flavor(const Policy& policy, std::int64_t gpus, std::int64_t nominal,
                        const QueueSpec& spec = {}) {
  WorldBuilder make;
  make.leg({.policy = policy, .places = {make.pool(gpus)}, .flavor = "gpu"});
  add_queue(make.world, "team", {gpu_quota("gpu", nominal)}, spec);
  add_urgent_class(make.world);
  return make;
}

/// Whose urgent jobs evict others.
const QueueSpec kEvicts{.evicts_own = kueue::PreemptionPolicy::lower_priority};

/// A reservation of four GPUs and a queue behind it, each a flavor with a quota of as many, in one queue.
WorldBuilder two_flavors(const Policy& first = on_demand(), const Policy& second = flex()) {
  WorldBuilder make;
  const PoolId pool = make.pool(100);
  make.leg({.policy = first, .places = {pool}, .flavor = "reserved"});
  make.leg({.policy = second, .places = {pool}, .flavor = "dws"});
  add_queue(make.world, "team", {gpu_quota("reserved", 4), gpu_quota("dws", 4)});
  return make;
}

SimDuration kueue_wait(const Played& play, std::uint64_t job) {
  return play.record().jobs.at(job).kueue.wait;
}

WaitTimes times(std::initializer_list<std::pair<WaitCause, SimDuration>> parts) {
  WaitTimes all;
  for (const auto& [cause, length] : parts) all[cause] = length;
  return all;
}

WaitTimes pending_for(const Played& play, std::uint64_t job) {
  return play.record().jobs.at(job).pending_for;
}

/// Two queues of a cohort, for a class each: "a" and "b", with a quota of 2 GPUs of one flavor.
WorldBuilder two_queues(kueue::PreemptionPolicy b_reclaims = kueue::PreemptionPolicy::never) {
  WorldBuilder make;
  make.world.classes.resize(2);
  make.leg({.policy = on_demand(), .places = {make.pool(100)}, .flavor = "gpu"});
  add_queue(make.world, "a", {gpu_quota("gpu", 2)}, {.classes = {true, false}, .cohort = "all"});
  add_queue(make.world, "b", {gpu_quota("gpu", 2)},
            {.classes = {false, true}, .cohort = "all", .reclaims = b_reclaims});
  return make;
}

std::uint32_t evictions(const Played& play, std::uint64_t job) {
  return play.record().jobs.at(job).kueue.evictions;
}

}  // namespace

TEST_CASE("A job asks in the legs of the flavor that Kueue gives it, and waits while there is none",
          "[rules]") {
  WorldBuilder make = two_flavors();
  make.job({.at = 0s, .work = 10s, .gpus = 3});
  make.job({.at = 1s, .work = 20s, .gpus = 3});  // in the flavor behind
  make.job({.at = 2s, .work = 10s, .gpus = 2});  // 1 GPU is left of each
  make.job({.at = 3s, .work = 10s, .gpus = 1});  // passes it: the queue does what it can
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 1 pool 0: 1 to 21 | completed at 21");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(3) == "leg 0 pool 0: 3 to 13 | completed at 13");
  CHECK(kueue_wait(play, 2) == 8s);
  CHECK(kueue_wait(play, 3) == 0s);
  CHECK(play.record().jobs.at(2).released == kStart + 2s);
}

TEST_CASE("Whom Kueue evicts stops with its notice, gives way, and begins anew without a restart",
          "[rules]") {
  Policy row = on_demand();
  row.notice = 2s;
  row.restarts = 0;
  WorldBuilder make = one_flavor(row, 100, 4, kEvicts);
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 3s, .work = 5s, .gpus = 4, .job_class = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 5 preempted, lost 5 | leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(1) == "leg 0 pool 0: 5 to 10 | completed at 10");
  CHECK(evictions(play, 0) == 1);
  CHECK(kueue_wait(play, 0) == 0s);  // it was granted before
  CHECK(kueue_wait(play, 1) == 2s);
  CHECK(pending_for(play, 0) == WaitTimes{});
  CHECK(play.record().jobs.at(0).pending_again == times({{WaitCause::priority, 5s}}));
  CHECK(play.record().evictions ==
        Evictions{{{.queue = "team", .reason = "InClusterQueue", .by = "team"}, 1}});
  CHECK(play.record().gave_way == std::vector<GaveWay>{{.at = kStart + 3s, .job = 0, .to = 1}});
}

// At 10s job 0 comes back and job 1 ends. Jobs 3 and 0 are given quota, and job 2 evicts both in the same
// turn.
TEST_CASE("A job that is given quota and evicted in one turn goes on waiting", "[rules]") {
  Policy row = on_demand();
  row.notice = 8s;
  WorldBuilder make = one_flavor(row, 100, 8, kEvicts);
  make.world.classes.resize(3);
  make.world.classes[2].priority = 5;
  make.job({.at = 0s, .work = 20s, .gpus = 4});
  make.job({.at = 0s, .work = 10s, .gpus = 4, .job_class = 1});
  make.job({.at = 1s, .work = 5s, .gpus = 8, .job_class = 1});
  make.job({.at = 2s, .work = 3s, .gpus = 4, .job_class = 2});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 preempted, lost 10 | leg 0 pool 0: 15 to 35 | completed at 35");
  CHECK(play.job(1) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 15 | completed at 15");
  CHECK(play.job(3) == "leg 0 pool 0: 15 to 18 | completed at 18");
  CHECK(pending_for(play, 2) == times({{WaitCause::quota, 9s}}));
  CHECK(pending_for(play, 3) == times({{WaitCause::priority, 13s}}));
  CHECK(evictions(play, 0) == 1);
  CHECK(evictions(play, 3) == 0);
}

TEST_CASE("A job that Kueue evicts while it waits in a queue leaves that at once", "[rules]") {
  WorldBuilder make = one_flavor(flex(), 4, 8, kEvicts);
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  make.job({.at = 2s, .work = 5s, .gpus = 4, .job_class = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 0: 15 to 25 | completed at 25");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 15 | completed at 15");
  CHECK(evictions(play, 1) == 1);
  CHECK(kueue_wait(play, 1) == 8s);
}

TEST_CASE("What others preempt keeps its quota, and goes by its restart rule", "[rules]") {
  Policy row = spot();
  row.retries = kUnlimited;
  row.retry_interval = 1s;
  row.restarts = 1;
  WorldBuilder make = one_flavor(row, 4, 4);
  make.step(PoolId{0}, 5s, 0);
  make.step(PoolId{0}, 8s, 4);
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 5 preempted, lost 5 | leg 0 pool 0: 8 to 18 | completed at 18");
  CHECK(play.job(1) == "leg 0 pool 0: 18 to 28 | completed at 28");
  CHECK(evictions(play, 0) == 0);
  CHECK(kueue_wait(play, 1) == 17s);
}

TEST_CASE("A job that is refused and tries again keeps its quota meanwhile", "[rules]") {
  Policy row = on_demand();
  row.retries = 5;
  row.retry_interval = 3s;
  WorldBuilder make = one_flavor(row, 4, 8);
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  make.job({.at = 2s, .work = 10s, .gpus = 4});
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(2) == "leg 0 pool 0: 22 to 32 | completed at 32");  // asks from 10 on
  CHECK(kueue_wait(play, 1) == 0s);
  CHECK(kueue_wait(play, 2) == 8s);
}

TEST_CASE("A queue reclaims what another has borrowed, and the record says who gave way to whom", "[rules]") {
  WorldBuilder make = two_queues(kueue::PreemptionPolicy::any);
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 2s, .work = 4s, .gpus = 2, .job_class = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 2 preempted, lost 2 | leg 0 pool 0: 6 to 16 | completed at 16");
  CHECK(play.job(1) == "leg 0 pool 0: 2 to 6 | completed at 6");
  CHECK(play.record().evictions ==
        Evictions{{{.queue = "a", .reason = "InCohortReclamation", .by = "b"}, 1}});
}

TEST_CASE("A job waits for priority where those of higher priority have the quota, else for quota",
          "[rules]") {
  WorldBuilder make = one_flavor(on_demand(), 100, 4);
  make.job({.at = 0s, .work = 10s, .gpus = 4, .job_class = 1});
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  make.job({.at = 2s, .work = 10s, .gpus = 4});
  const Played play{make};
  CHECK(pending_for(play, 0) == WaitTimes{});
  CHECK(pending_for(play, 1) == times({{WaitCause::priority, 9s}}));
  CHECK(pending_for(play, 2) == times({{WaitCause::priority, 8s}, {WaitCause::quota, 10s}}));
  CHECK(kueue_wait(play, 2) == 18s);
}

TEST_CASE("A job waits for priority where one stands before it and it would fit", "[rules]") {
  WorldBuilder make = one_flavor(on_demand(), 100, 4, {.strategy = kueue::QueueingStrategy::strict_fifo});
  make.job({.at = 0s, .work = 10s, .gpus = 2});
  make.job({.at = 1s, .work = 10s, .gpus = 4, .job_class = 1});
  make.job({.at = 2s, .work = 10s, .gpus = 2});
  make.job({.at = 3s, .work = 10s, .gpus = 2, .job_class = 1});  // behind an equal
  const Played play{make};
  CHECK(pending_for(play, 1) == times({{WaitCause::quota, 9s}}));
  CHECK(pending_for(play, 2) == times({{WaitCause::priority, 18s}}));
  CHECK(pending_for(play, 3) == times({{WaitCause::quota, 17s}}));
}

TEST_CASE("A job waits for borrowing where others have borrowed its queue's own quota", "[rules]") {
  WorldBuilder make = two_queues();
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 2s, .work = 5s, .gpus = 2, .job_class = 1});
  make.job({.at = 3s, .work = 10s, .gpus = 4, .job_class = 1});  // would borrow itself
  const Played play{make};
  CHECK(pending_for(play, 1) == times({{WaitCause::borrowing, 8s}}));
  CHECK(pending_for(play, 2) == times({{WaitCause::quota, 12s}}));
  const auto gpu_seconds = [](std::int64_t gpus) { return GpuCount{gpus} * SimDuration{1s}; };
  CHECK(play.record().kueue_queues ==
        std::map<std::string, KueueQueueTotals>{
            {"a", {.admitted = 1, .held = gpu_seconds(40), .borrowed = gpu_seconds(20)}},
            {"b", {.admitted = 2, .held = gpu_seconds(50), .borrowed = gpu_seconds(20)}}});
}

TEST_CASE("A job is blocked where it would fit and Kueue waits for the pods of others", "[rules]") {
  Policy row = on_demand();
  row.start_up = {.a = 5s};
  WorldBuilder make = one_flavor(row, 100, 8);
  make.world.kueue->settings.pods_ready = kueue::WaitForPodsReady{.timeout = 1min, .block_admission = true};
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  make.job({.at = 2s, .work = 10s, .gpus = 8});  // has no room
  const Played play{make};
  CHECK(pending_for(play, 1) == times({{WaitCause::blocked, 4s}}));
  CHECK(pending_for(play, 2) == times({{WaitCause::quota, 18s}}));
}

TEST_CASE("Pods that are not ready in time are evicted and wait longer each time", "[rules]") {
  Policy row = flex();
  row.start_up = {.a = 1s};
  WorldBuilder make = one_flavor(row, 4, 8);
  make.world.kueue->settings.pods_ready =
      kueue::WaitForPodsReady{.timeout = 5s, .backoff_base = 3s, .backoff_max = 1h};
  make.job({.at = 0s, .work = 20s, .gpus = 4});
  make.job({.at = 2s, .work = 5s, .gpus = 4});  // admitted 2 to 7, 10 to 15, and at 21
  SECTION("as often as need be") {
    const Played play{make};
    CHECK(play.job(0) == "leg 0 pool 0: 0 works 1 to 21 | completed at 21");
    CHECK(play.job(1) == "leg 0 pool 0: 21 works 22 to 27 | completed at 27");
    CHECK(evictions(play, 1) == 2);
    CHECK(pending_for(play, 1) == times({{WaitCause::back_off, 9s}}));
    CHECK(play.record().gave_way.empty());
  }
  SECTION("up to a limit") {
    make.world.kueue->settings.pods_ready->backoff_limit = 1;
    const Played play{make};
    CHECK(play.job(1) == "failed at 15");
  }
}

TEST_CASE("Pods that were lost have a time to come back", "[rules]") {
  Policy row = spot();
  row.retries = kUnlimited;
  row.retry_interval = 3s;
  row.restarts = kUnlimited;
  WorldBuilder make = one_flavor(row, 4, 4);
  make.world.kueue->settings.pods_ready =
      kueue::WaitForPodsReady{.timeout = 1min, .recovery_timeout = 4s, .backoff_base = 3s};
  make.step(PoolId{0}, 5s, 0);
  make.step(PoolId{0}, 13s, 4);
  make.job({.at = 0s, .work = 10s, .gpus = 4});  // asks at 5 and 8, is evicted at 9, asks at 12 and 15
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 5 preempted, lost 5 | leg 0 pool 0: 15 to 25 | completed at 25");
  CHECK(evictions(play, 0) == 1);
}

TEST_CASE("Capacity that is revoked at the maximum run ends the job, and its quota is free", "[rules]") {
  Policy row = flex();
  row.run_max = 5s;
  WorldBuilder make = one_flavor(row, 100, 4);
  make.world.kueue->objects.cluster_queues["team"].checks = {{.name = "capacity"}};
  make.world.kueue->checks["capacity"] = {};
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 1s, .work = 3s, .gpus = 4});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 5, lost 5 | cut_off at 5");
  CHECK(play.job(1) == "leg 0 pool 0: 5 to 8 | completed at 8");
  CHECK(play.record().evictions.empty());
}

TEST_CASE("A request for capacity that waits counts as no late pods", "[rules]") {
  WorldBuilder make = one_flavor(flex(), 4, 8);
  make.world.kueue->objects.cluster_queues["team"].checks = {{.name = "capacity"}};
  make.world.kueue->checks["capacity"] = {};
  make.world.kueue->settings.pods_ready = kueue::WaitForPodsReady{.timeout = 5s};
  make.job({.at = 0s, .work = 20s, .gpus = 4});
  make.job({.at = 2s, .work = 5s, .gpus = 4});
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 20 to 25 | completed at 25");
  CHECK(evictions(play, 1) == 0);
}

TEST_CASE("A job's own maximum wait runs while it waits for Kueue", "[rules]") {
  WorldBuilder make = two_flavors();
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 0s, .work = 20s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 1, .max_wait = 5s});
  make.job({.at = 2s, .work = 10s, .gpus = 5});  // no flavor ever has so many
  make.world.end = RunEnd::time;
  make.world.window_end = kStart + 50s;
  const Played play{make};
  CHECK(play.job(2) == "expired at 6");
  CHECK(kueue_wait(play, 2) == 5s);
  CHECK(play.job(3) == "unfinished at 50");
  CHECK(kueue_wait(play, 3) == 48s);
}

TEST_CASE("Jobs that no flavor may serve are no affair of Kueue's, nor are tenants", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId pool = make.pool(8);
  make.leg({.policy = on_demand(), .places = {pool}, .classes = {true, false}, .flavor = "gpu"});
  make.tenant_leg({.policy = on_demand(), .places = {pool}});
  add_queue(make.world, "team", {gpu_quota("gpu", 2)});
  make.tenant({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 2});
  make.job({.at = 1s, .work = 10s, .gpus = 2, .job_class = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 1 to 11 | completed at 11");
  CHECK(play.job(1) == "refused at 1");
}

// Patience of the first leg and its kept request end at one time.
TEST_CASE("A job whose request for capacity is made again goes through all its legs anew", "[rules]") {
  WorldBuilder make;
  const PoolId pool = make.pool(4);
  Policy first = flex();
  first.max_wait = 4s;
  Policy second = flex();
  second.max_wait = 0s;
  make.leg({.policy = first, .places = {pool}, .keep = true, .flavor = "dws"});
  make.leg({.policy = second, .places = {pool}, .keep = true, .flavor = "dws"});
  add_queue(make.world, "team", {gpu_quota("dws", 8)}).checks = {{.name = "capacity"}};
  make.world.kueue->checks["capacity"] = {.limit = 1, .base = 5s};
  make.job({.at = 0s, .work = 30s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 4});  // asks from 1 to 5, and from 10 to 14
  const Played play{make};
  CHECK(play.job(1) == "expired at 14");
  CHECK(play.record().pools.at(0).classes[index(LeaseClass::flex)].requests == 5);
}

// Its pods are lost at 5s. At 9s the last request ends, and Kueue would evict it for want of pods.
TEST_CASE("What ends by waiting ends before Kueue's clock is set", "[rules]") {
  WorldBuilder make;
  const PoolId full = make.pool(4);
  const PoolId short_lived = make.pool(4);
  Policy queue = flex();
  queue.max_wait = 4s;
  queue.restarts = kUnlimited;
  Policy at_once = spot();
  at_once.restarts = kUnlimited;
  make.leg({.policy = queue, .places = {full}, .limit = 1s, .keep = true, .flavor = "gpu"});
  make.leg({.policy = at_once, .places = {short_lived}, .flavor = "gpu"});
  add_queue(make.world, "team", {gpu_quota("gpu", 8)}).checks = {{.name = "capacity"}};
  make.world.kueue->checks["capacity"] = {.limit = 3, .base = 5s};
  make.world.kueue->settings.pods_ready =
      kueue::WaitForPodsReady{.timeout = 1min, .recovery_timeout = 4s, .backoff_base = 3s};
  make.step(short_lived, 5s, 0);
  make.job({.at = 0s, .work = 40s, .gpus = 4});
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  const Played play{make};
  CHECK(play.job(1) == "leg 1 pool 1: 1 to 5 preempted, lost 4 | expired at 9");
  CHECK(evictions(play, 1) == 0);
}
