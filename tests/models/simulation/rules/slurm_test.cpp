// Slurm before the legs (models/simulation/README.md, section 18). Times in seconds. Shapes are of one node.

#include <string>

#include <catch2/catch.hpp>

#include "tests/support/made_up/made_up_slurm.h"
#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// A reservation of as many GPUs as the nodes of "gpu" have, which jobs share.
WorldBuilder static_nodes(int count, int gpus, const Policy& row = reservation()) {
  WorldBuilder make;
  const PoolId zone = make.pool(100);
  make.leg({.policy = row, .places = {make.held(zone, count * gpus)}, .partition = "gpu"});
  add_partition(make.world, "gpu", {.count = count, .gpus = gpus});
  return make;
}

/// Nodes of 4 GPUs that exist while a job has them, bought by the row in a pool of so many GPUs.
WorldBuilder elastic_nodes(const Policy& row, std::int64_t gpus, const NodesSpec& spec) {
  WorldBuilder make;
  make.leg({.policy = row, .places = {make.pool(gpus)}, .partition = "flex"});
  add_partition(make.world, "flex", spec);
  return make;
}

constexpr NodesSpec kTwoElastic{.count = 2, .gpus = 4, .is_elastic = true, .resume_timeout = 60s};

WaitTimes waits(std::initializer_list<std::pair<WaitCause, SimDuration>> parts) {
  WaitTimes all;
  for (const auto& [cause, length] : parts) all[cause] = length;
  return all;
}

WaitTimes at_slurm(const Played& play, std::uint64_t job) { return play.record().jobs.at(job).pending_for; }

}  // namespace

// Each node has room for half of the jobs; the pool alone would have had room for job 2 at 2s.
TEST_CASE("Slurm puts jobs on nodes, and one that finds no node waits although the pool has room",
          "[rules]") {
  WorldBuilder make = static_nodes(2, 4);
  make.job({.at = 0s, .work = 10s, .gpus = 3});
  make.job({.at = 1s, .work = 20s, .gpus = 3});
  make.job({.at = 2s, .work = 10s, .gpus = 2});
  make.job({.at = 3s, .work = 2s, .gpus = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 1: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 1: 1 to 21 | completed at 21");
  CHECK(play.job(2) == "leg 0 pool 1: 10 to 20 | completed at 20");
  CHECK(at_slurm(play, 2) == waits({{WaitCause::capacity, 8s}}));
}

// The second shape is a gang of two nodes, which is promised both for 20s.
TEST_CASE("Time limits are estimates where a source has them, and backfill plans by them", "[rules]") {
  WorldBuilder make = static_nodes(2, 1);
  make.job({.at = 0s, .work = 10s, .gpus = 1, .estimate = 20s});
  make.job({.at = 1s, .work = 10s, .gpus = 2});
  make.world.shapes[1].nodes = 2;
  make.world.shapes[1].gpus_per_node = 1;
  SECTION("who ends by then goes before") {
    make.job({.at = 2s, .work = 18s, .gpus = 1});
    const Played play{make};
    CHECK(play.job(1) == "leg 0 pool 1: 20 to 30 | completed at 30");
    CHECK(play.job(2) == "leg 0 pool 1: 2 to 20 | completed at 20");
    CHECK(at_slurm(play, 1) == waits({{WaitCause::capacity, 19s}}));
  }
  SECTION("and who does not waits, for priority") {
    make.job({.at = 2s, .work = 19s, .gpus = 1});
    const Played play{make};
    CHECK(play.job(1) == "leg 0 pool 1: 10 to 20 | completed at 20");
    CHECK(play.job(2) == "leg 0 pool 1: 20 to 39 | completed at 39");
    CHECK(at_slurm(play, 2) == waits({{WaitCause::priority, 8s}, {WaitCause::capacity, 10s}}));
  }
  SECTION("options have the say") {
    make.world.slurm->options.push_back({.time_limit = 30s});
    make.job({.at = 2s, .work = 19s, .gpus = 1});
    CHECK(Played{make}.job(2) == "leg 0 pool 1: 20 to 39 | completed at 39");
  }
}

TEST_CASE("A job that has not ended within its time limit fails", "[rules]") {
  WorldBuilder make = static_nodes(1, 4);
  make.job({.at = 0s, .work = 10s, .gpus = 4, .estimate = 8s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 1: 0 to 8.001, lost 8.001 | failed at 8.001");
  CHECK(play.record().jobs.at(0).slurm_end == SlurmEnd::timed_out);
}

namespace {

/// Four GPUs in two partitions: "low" for the first class, and "high", whose jobs preempt those.
WorldBuilder four_gpus(slurm::PreemptMode mode) {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId held = make.held(make.pool(100), 4);
  Policy row = reservation();
  row.notice = 2s;
  row.restarts = 0;
  make.leg({.policy = row, .places = {held}, .classes = {true, false}, .partition = "low"});
  make.leg({.policy = row, .places = {held}, .classes = {false, true}, .partition = "high"});
  slurm::Partition high = add_partition(make.world, "low", {.count = 1, .gpus = 4});
  high.name = "high";
  high.priority_tier = 2;
  slurm::Configuration& cluster = slurm_of(make.world).configuration;
  cluster.partitions.push_back(high);
  cluster.settings.backfill_type = slurm::Backfill::none;
  cluster.settings.main = {.sched_interval = 5s, .batch_sched_delay = 0s};
  cluster.settings.preemption = {.type = slurm::PreemptType::partition_priority, .mode = mode};
  return make;
}

WorldBuilder two_tiers(slurm::PreemptMode mode) {
  WorldBuilder make = four_gpus(mode);
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  make.job({.at = 3s, .work = 5s, .gpus = 4, .job_class = 1});
  return make;
}

}  // namespace

// Eligible at 15s, when a cycle over the full queue comes.
TEST_CASE("Whom Slurm preempts stops with its notice, gives way, and is eligible again after a delay",
          "[rules]") {
  const Played play{two_tiers(slurm::PreemptMode::requeue)};
  CHECK(play.job(0) == "leg 0 pool 1: 1 to 5 preempted, lost 4 | leg 0 pool 1: 15 to 25 | completed at 25");
  CHECK(play.job(1) == "leg 1 pool 1: 5 to 10 | completed at 10");
  CHECK(play.record().gave_way == std::vector<GaveWay>{{.at = kStart + 3s, .job = 0, .to = 1}});
  CHECK(play.record().evictions == Evictions{{{.queue = "low", .reason = "REQUEUE", .by = "high"}, 1}});
  const WaitTimes again = play.record().jobs.at(0).pending_again;  // from 5s to 15s
  CHECK(again[WaitCause::back_off] == 10s);
  CHECK(again.sum() == 10s);
  CHECK(at_slurm(play, 0) == WaitTimes{});  // it was granted before
  CHECK(at_slurm(play, 1) == waits({{WaitCause::capacity, 2s}}));
}

// At 10s a main cycle starts job 1. Job 2 has waited for that, and the backfill cycle after it gives it the
// node.
TEST_CASE("A job that is started and stopped at once is put off while it waits", "[rules]") {
  WorldBuilder make = four_gpus(slurm::PreemptMode::requeue);
  slurm::Settings& settings = make.world.slurm->configuration.settings;
  settings.backfill_type = slurm::Backfill::slurm;
  settings.backfill.interval = 5s;
  make.job({.at = 1s, .work = 9s, .gpus = 4, .job_class = 1});
  make.job({.at = 2s, .work = 10s, .gpus = 4});
  make.job(
      {.at = 3s, .work = 5s, .gpus = 4, .job_class = 1, .links = {{.on = 1, .kind = JobLink::Kind::after}}});
  const Played play{make};
  CHECK(play.job(2) == "leg 1 pool 1: 10 to 15 | completed at 15");
  CHECK(play.job(1) == "leg 0 pool 1: 20 to 30 | completed at 30");
  CHECK(at_slurm(play, 1)[WaitCause::capacity] == 8s);
  CHECK(at_slurm(play, 1)[WaitCause::back_off] == 10s);
}

TEST_CASE("Whom Slurm preempts for good fails at once", "[rules]") {
  const Played play{two_tiers(slurm::PreemptMode::cancel)};
  CHECK(play.job(0) == "leg 0 pool 1: 1 to 3, lost 2 | failed at 3");
  CHECK(play.record().jobs.at(0).slurm_end == SlurmEnd::preempted);
  CHECK(play.record().jobs.at(1).slurm_end == SlurmEnd::none);
  CHECK(play.job(1) == "leg 1 pool 1: 3 to 8 | completed at 8");
}

TEST_CASE("The controller starts with the run, and counts its rounds from there", "[rules]") {
  WorldBuilder make = static_nodes(1, 4);
  slurm_of(make.world).configuration.settings.backfill_type = slurm::Backfill::slurm;
  make.world.begin = kStart - 500ms;
  make.job({.at = 1s, .work = 10s, .gpus = 4});  // asks for a cycle, three seconds after the first
  CHECK(Played{make}.job(0) == "leg 0 pool 1: 2.500 to 12.500 | completed at 12.500");
}

// The node is up at 5s. From then on its time limit runs, and it goes with the job.
TEST_CASE("Elastic nodes configure until their machines work, and go with their job", "[rules]") {
  Policy row = on_demand();
  row.start_up = {.a = 5s};
  WorldBuilder make = elastic_nodes(row, 100, {.count = 1, .gpus = 4, .is_elastic = true});
  make.world.slurm->configuration.partitions[0].power->suspend_timeout = 3s;
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 2});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 5 to 15 | completed at 15");
  CHECK(play.job(1) == "leg 0 pool 0: 18 works 23 to 33 | completed at 33");
}

// Slurm gives job 1 the second node. There are no machines: it is requeued at 1s, and tried again from 11s
// on. Its node is DOWN until 1 + 60 + 30s.
TEST_CASE("Nodes that find no machines are DOWN for a while, and their job waits for others", "[rules]") {
  WorldBuilder make = elastic_nodes(on_demand(), 4, kTwoElastic);
  SECTION("which may be there sooner") {
    make.job({.at = 0s, .work = 20s, .gpus = 4});
    make.job({.at = 1s, .work = 10s, .gpus = 4});
    const Played play{make};
    CHECK(play.job(1) == "leg 0 pool 0: 20 to 30 | completed at 30");
    CHECK(at_slurm(play, 1) == waits({{WaitCause::back_off, 10s}, {WaitCause::capacity, 9s}}));
  }
  SECTION("or come back themselves") {
    make.job({.at = 0s, .work = 200s, .gpus = 4});
    make.job({.at = 1s, .work = 10s, .gpus = 4});
    make.step(PoolId{0}, 40s, 8);
    CHECK(Played{make}.job(1) == "leg 0 pool 0: 91 to 101 | completed at 101");
  }
  SECTION("unless the job is tired of it") {
    make.job({.at = 0s, .work = 200s, .gpus = 4});
    make.job({.at = 1s, .work = 10s, .gpus = 4, .max_wait = 7s});
    CHECK(Played{make}.job(1) == "expired at 8");
  }
}

// Asked for at 1s, not there at 61s. Requeued until 71s; the node is back at 91s.
TEST_CASE("Nodes that are not up in time are DOWN, and their job is requeued", "[rules]") {
  WorldBuilder make = elastic_nodes(flex(), 4, kTwoElastic);
  make.job({.at = 0s, .work = 80s, .gpus = 4});
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  const Played play{make};
  CHECK(play.job(1) == "leg 0 pool 0: 80 to 90 | completed at 90");
  CHECK(at_slurm(play, 1) == waits({{WaitCause::back_off, 10s}, {WaitCause::capacity, 9s}}));
}

TEST_CASE("Nodes whose job no longer waits for them are switched off", "[rules]") {
  WorldBuilder make = elastic_nodes(flex(), 4, {.count = 1, .gpus = 4, .is_elastic = true});
  make.step(PoolId{0}, 0s, 0);
  make.step(PoolId{0}, 20s, 4);
  make.job({.at = 0s, .work = 10s, .gpus = 4, .max_wait = 8s});
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  const Played play{make};
  CHECK(play.job(0) == "expired at 8");
  CHECK(play.job(1) == "leg 0 pool 0: 20 to 30 | completed at 30");
}

// Spot machines go at 5s. The node returns at max(5, 0 + 8) + 30s.
TEST_CASE("A job that lost its machines waits for Slurm again", "[rules]") {
  Policy row = spot();
  row.restarts = kUnlimited;
  WorldBuilder make =
      elastic_nodes(row, 4, {.count = 1, .gpus = 4, .is_elastic = true, .resume_timeout = 8s});
  make.step(PoolId{0}, 5s, 0);
  make.step(PoolId{0}, 6s, 4);
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 5 preempted, lost 5 | leg 0 pool 0: 38 to 48 | completed at 48");
}

// The reservation comes at 100s.
TEST_CASE("On static nodes a job waits for machines that are not there", "[rules]") {
  WorldBuilder make;
  const PoolId zone = make.pool(100);
  make.leg({.policy = reservation(), .places = {make.held(zone, 4, 100s)}, .partition = "gpu"});
  add_partition(make.world, "gpu", {.count = 1, .gpus = 4});
  make.job({.at = 0s, .work = 10s, .gpus = 4, .estimate = 200s});
  CHECK(Played{make}.job(0) == "leg 0 pool 1: 100 to 110 | completed at 110");
}

TEST_CASE("Who loses its machines on static nodes leaves them to others, and waits again", "[rules]") {
  Policy row = reservation();
  row.worker_restarts = 0;
  row.exit_restarts = 1;
  WorldBuilder make = static_nodes(1, 4, row);
  make.world.classes.resize(2);
  make.world.classes[0].exits = {.after = {.a = 4s}, .share_ppm = 1'000'000};
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 1s, .work = 12s, .gpus = 4, .job_class = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 1: 0 to 4, lost 4 | leg 0 pool 1: 16 to 20, lost 4 | failed at 20");
  CHECK(play.job(1) == "leg 0 pool 1: 4 to 16 | completed at 16");
}

TEST_CASE("A job that no partition takes waits for capacity", "[rules]") {
  WorldBuilder make = static_nodes(2, 4);
  make.world.slurm->configuration.partitions[0].max_time = 5s;
  make.job({.at = 0s, .work = 10s, .gpus = 4, .max_wait = 20s});
  const Played play{make};
  CHECK(play.job(0) == "expired at 20");
  CHECK(at_slurm(play, 0) == waits({{WaitCause::capacity, 20s}}));
}

namespace {

/// A node of one GPU that stays on for 10s after its last job, as a machine of an elastic pool which comes 2s
/// after it was asked for. It may be used again 5s after it was switched off.
WorldBuilder power_saving_node(std::int64_t zone_gpus) {
  WorldBuilder make;
  make.world.billing = {.step = SimDuration{1}, .least = SimDuration{0}};
  const PoolId held = make.held(make.pool(zone_gpus), 1, 0s, 20s);
  make.world.held[0].scaling = Scaling{.idle_after = 10s, .cold_start = {.a = 2s}};
  make.leg({.policy = reservation(), .places = {held}, .partition = "gpu"});
  slurm::Partition& gpu = add_partition(make.world, "gpu", {.count = 1, .gpus = 1, .is_elastic = true});
  gpu.power_down_on_idle = false;
  gpu.power = slurm::PowerSave{.suspend_time = 10s, .suspend_timeout = 5s, .resume_timeout = 60s};
  return make;
}

}  // namespace

// Job 1 finds it on; it goes at 28s. Job 2 has it from 33s on. The machine is there from 2 to 28s and from 35
// to 48s.
TEST_CASE("Slurm's nodes stay on for a while after their jobs, and are paid", "[rules]") {
  WorldBuilder make = power_saving_node(4);
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 15s, .work = 3s});
  make.job({.at = 30s, .work = 3s});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 1: 2 to 12 | completed at 12");
  CHECK(play.job(1) == "leg 0 pool 1: 15 to 18 | completed at 18");
  CHECK(play.job(2) == "leg 0 pool 1: 35 to 38 | completed at 38");
  CHECK(play.usage(1) == "used 39 billed 39 | idle 23");
}

// Not up at 60s: DOWN until 60 + 30s.
TEST_CASE("Nodes that stay on are DOWN too if their machines do not come in time", "[rules]") {
  WorldBuilder make = power_saving_node(4);
  make.step(PoolId{0}, 0s, 0);
  make.step(PoolId{0}, 70s, 4);
  make.job({.at = 0s, .work = 10s});
  CHECK(Played{make}.job(0) == "leg 0 pool 1: 92 to 102 | completed at 102");
}

// "short" has the first of two nodes, "all" has both.
TEST_CASE("Partitions may be parts of a node set", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId held = make.held(make.pool(100), 2);
  make.leg({.policy = reservation(), .places = {held}, .classes = {true, false}, .partition = "all"});
  make.leg({.policy = reservation(), .places = {held}, .classes = {false, true}, .partition = "short"});
  slurm::Partition first = add_partition(make.world, "all", {.count = 2, .gpus = 1});
  first.name = "short";
  first.nodes = {0};
  slurm_of(make.world).configuration.partitions.push_back(first);
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 1s, .work = 10s, .job_class = 1});
  make.job({.at = 2s, .work = 5s});
  const Played play{make};
  CHECK(play.job(1) == "leg 1 pool 1: 10 to 20 | completed at 20");
  CHECK(play.job(2) == "leg 0 pool 1: 2 to 7 | completed at 7");
}

// At 20s the nodes of job 1 are late, job 2 gives up, whose node is off at once, and job 0 leaves the other
// partition. Job 3 prefers the first.
TEST_CASE("What ends by waiting ends before Slurm's clock is set", "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  const PoolId zone = make.pool(8);
  const PoolId held = make.held(zone, 4);
  make.world.held[0].added_supply = true;
  Policy row = spot();
  row.retries = kUnlimited;
  row.retry_interval = 30s;
  make.leg({.policy = row, .places = {zone}, .classes = {true, false}, .partition = "flex"});
  make.leg({.policy = reservation(), .places = {held}, .partition = "gpu"});
  make.tenant_leg({.policy = on_demand(), .places = {zone}});
  add_partition(make.world, "flex", {.count = 2, .gpus = 4, .is_elastic = true, .resume_timeout = 20s});
  add_partition(make.world, "gpu", {.count = 1, .gpus = 4});
  make.tenant({.at = 0s, .work = 15s, .gpus = 8});
  make.job({.at = 0s, .work = 20s, .gpus = 4, .job_class = 1});
  make.job({.at = 0s, .work = 10s, .gpus = 4});
  make.job({.at = 5s, .work = 10s, .gpus = 4, .max_wait = 15s});
  make.job({.at = 6s, .work = 10s, .gpus = 4});
  const Played play{make};
  CHECK(play.job(0) == "leg 1 pool 1: 0 to 20 | completed at 20");
  CHECK(play.job(2) == "expired at 20");
  CHECK(play.job(3) == "leg 0 pool 0: 20 to 30 | completed at 30");
}
