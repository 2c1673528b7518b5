// What the second implementation (tests/support/slurm_by_the_book) found, by hand.

#include <catch2/catch.hpp>

#include "models/orchestrators/slurm/fair_tree.h"
#include "tests/models/orchestrators/slurm/made_up_slurm.h"

using namespace stockout;
using namespace stockout::test;

namespace {

// To the time, with all that is due on the way.
void go_to(Slurm& slurm, double seconds) {
  while (slurm.next_due().value_or(kNever) <= kStart + sec(seconds)) {
    slurm.advance(*slurm.next_due());
    slurm.settle();
  }
  slurm.advance(kStart + sec(seconds));
}

// One user, and jobs that gain 1 of priority each second.
Configuration with_ages(int nodes) {
  Configuration made = cluster_of(nodes);
  made.settings.priority.weights.age = 1000;
  made.settings.priority.max_age = sec(1000);
  made.settings.priority.calculation_period = sec(100);
  return made;
}

}  // namespace

TEST_CASE("A task that is requeued leaves its place of the array to the next", "[slurm][array]") {
  Slurm slurm{cluster_of(1)};
  const JobId first = slurm.submit_array({.tasks_at_once = 1}, 2);
  go_to(slurm, 10);
  REQUIRE(slurm.job(first).state == JobState::running);
  slurm.requeue(first);
  slurm.settle();
  CHECK(slurm.job(first + 1).state == JobState::running);
  go_to(slurm, 200);  // it is eligible again, and in line behind the other
  CHECK(slurm.job(first).state == JobState::waiting);
}

TEST_CASE("A task that gets a place late has the age of the last calculation", "[slurm][array][priority]") {
  Slurm slurm{with_ages(2)};
  const JobId first = slurm.submit_array({.tasks_at_once = 1}, 2);
  slurm.submit({.size = {.nodes = 2}});  // somebody waits
  go_to(slurm, 150);
  slurm.finish(first);
  CHECK(slurm.job(first + 1).priorities == std::vector<std::uint32_t>{100});
}

TEST_CASE("Who waits for the start of a job does not wait until its nodes are up", "[slurm][dependency]") {
  Configuration cluster = cluster_of(2);
  for (Node& node : cluster.nodes) node.cloud = true;
  Slurm slurm{cluster};
  const JobId first = slurm.submit({});
  JobRequest request;
  request.dependencies = {{.kind = DependencyKind::after, .job = first}};
  const JobId second = slurm.submit(request);
  go_to(slurm, 40);
  CHECK(slurm.job(first).state == JobState::configuring);
  CHECK(slurm.job(second).state == JobState::configuring);
}

TEST_CASE("A job may depend on another in two ways", "[slurm][dependency]") {
  Slurm slurm{cluster_of(2)};
  const JobId first = slurm.submit({});
  const auto on = [&](DependencyKind one, DependencyKind other) {
    JobRequest request;
    request.dependencies = {{.kind = one, .job = first}, {.kind = other, .job = first}};
    return slurm.submit(request);
  };
  const JobId both = on(DependencyKind::after, DependencyKind::after_any);
  const JobId never = on(DependencyKind::after_ok, DependencyKind::after_not);
  go_to(slurm, 40);
  CHECK(slurm.job(both).state == JobState::waiting);
  slurm.finish(first);
  CHECK(slurm.job(both).state == JobState::pending);
  CHECK(slurm.job(never).state == JobState::held);
}

TEST_CASE("Time limits are looked at since the controller has started, whatever the clock shows",
          "[slurm][limit]") {
  Configuration cluster = cluster_of(1);
  cluster.settings.epoch = sec(17);
  Slurm slurm{cluster};
  const JobId id = slurm.submit({.time_limit = sec(60)});
  go_to(slurm, 89);
  CHECK(slurm.job(id).state == JobState::running);
  go_to(slurm, 90);
  CHECK(slurm.job(id).state == JobState::leaving);
}

TEST_CASE("Priorities are calculated at multiples of their period, also after nobody was there",
          "[slurm][priority]") {
  Slurm slurm{with_ages(1)};
  go_to(slurm, 350);
  slurm.submit({});
  const JobId waits = slurm.submit({});
  go_to(slurm, 399);
  CHECK(slurm.job(waits).priorities == std::vector<std::uint32_t>{1});
  go_to(slurm, 401);
  CHECK(slurm.job(waits).priorities == std::vector<std::uint32_t>{50});
}

// Half-life 100 s, a calculation each 100 s. x has used 72 s of a CPU in 18 s, which leave 72 * 0.882 = 63.5.
// y has used 80 s in 40 s, which leave 80 * 0.757 = 60.6. From the beginning on, x would have had less of it
// left.
TEST_CASE("Use decays for as long as it lasted, not from its time on", "[slurm][priority]") {
  Configuration cluster = cluster_of(1, 4);
  cluster.associations = {{.name = "x", .is_user = true}, {.name = "y", .is_user = true}};
  cluster.settings.priority.weights.fair_share = 1000;
  cluster.settings.priority.calculation_period = sec(100);
  cluster.settings.priority.half_life = sec(100);
  Slurm slurm{cluster};
  const auto run = [&](UserIndex user, int cpus, double from, double to) {
    go_to(slurm, from);
    const JobId id = slurm.submit({.size = {.cpus_per_node = cpus}, .user = user, .batch = false});
    go_to(slurm, to);
    slurm.finish(id);
  };
  run(0, 4, 2, 20);
  run(1, 2, 50, 90);
  slurm.submit({.size = {.exclusive = true}, .batch = false});
  const JobId of_x = slurm.submit({.user = 0});
  const JobId of_y = slurm.submit({.user = 1});
  go_to(slurm, 101);
  CHECK(slurm.job(of_x).priorities < slurm.job(of_y).priorities);
}

TEST_CASE("Fair tree: the first user of an account that equals a user has that user's rank",
          "[slurm][priority]") {
  const std::vector<Association> tree{{.name = "u", .is_user = true},
                                      {.name = "A"},
                                      {.name = "x", .parent = 1, .is_user = true},
                                      {.name = "y", .parent = 1, .is_user = true}};
  FairTree shares{tree};
  shares.use(0, 100);
  shares.use(2, 40);
  shares.use(3, 60);
  shares.rank();
  CHECK(shares.factor(0) == 1);
  CHECK(shares.factor(2) == 1);
  CHECK(shares.factor(3) == Approx(1.0 / 3));
}

TEST_CASE("The cycle over the full queue sees who comes at its time", "[slurm][main]") {
  Configuration cluster = with_backfill(cluster_of(1), Backfill::none);
  cluster.settings.main.batch_sched_delay = sec(10);
  Slurm slurm{cluster};
  go_to(slurm, 60);
  const JobId id = slurm.submit({});
  slurm.settle();
  CHECK(slurm.job(id).run.started == kStart + sec(60));
}

// Backfill starts the first job at 62. The cycle for which it asked comes at 64, and does the second too.
TEST_CASE("A cycle over the full queue that had nobody to look at is not played late", "[slurm][main]") {
  Configuration cluster = cluster_of(2);
  cluster.settings.main.batch_sched_delay = sec(4);
  Slurm slurm{cluster};
  go_to(slurm, 61.5);
  slurm.submit({});
  go_to(slurm, 62.5);
  const JobId second = slurm.submit({});
  go_to(slurm, 63);
  CHECK(slurm.job(second).state == JobState::pending);
  go_to(slurm, 64);
  CHECK(slurm.job(second).state == JobState::running);
}

// A job of two nodes is promised nodes 0 and 1 from 600 on, and 2 and 3 from 900 on.
TEST_CASE("bf_max_job_array_resv says nothing to a job in several partitions", "[slurm][backfill]") {
  Configuration cluster = cluster_of(4);
  cluster.partitions.front().nodes = {0, 1};
  cluster.partitions.push_back({.name = "other", .nodes = {2, 3}});
  cluster.settings.backfill.max_job_array_resv = 1;
  Slurm slurm{cluster};
  slurm.submit({.time_limit = sec(600), .partitions = {0}, .batch = false});
  slurm.submit({.time_limit = sec(900), .partitions = {1}, .batch = false});
  slurm.submit({.size = {.nodes = 2}, .time_limit = sec(60), .partitions = {0, 1}});
  const JobId late = slurm.submit({.time_limit = sec(3600), .partitions = {1}});
  go_to(slurm, 40);
  CHECK(slurm.job(late).state == JobState::pending);
}

TEST_CASE("A job of salloc is tried at once in each of its partitions", "[slurm][main]") {
  Configuration cluster = cluster_of(2);
  cluster.partitions.front().nodes = {0};
  cluster.partitions.push_back({.name = "other", .nodes = {1}});
  Slurm slurm{cluster};
  slurm.submit({.batch = false});
  const JobId id = slurm.submit({.partitions = {0, 1}, .batch = false});
  CHECK(slurm.job(id).run.nodes == std::vector<NodeIndex>{1});
}

// The first of the queue needs both nodes, so that the main scheduler starts nobody. Backfill claims a victim
// at 30 for a short job, until 70, and finds room at 60.
TEST_CASE("A job that has preempted others may be backfilled while its claim lasts", "[slurm][preempt]") {
  Configuration cluster = cluster_of(2);
  cluster.partitions.push_back({.name = "first", .nodes = {0, 1}, .priority_tier = 2});
  cluster.settings.preemption = {.type = PreemptType::partition_priority, .mode = PreemptMode::cancel};
  Slurm slurm{cluster};
  const JobId victim = slurm.submit({.batch = false});
  slurm.submit({.time_limit = sec(1000), .partitions = {1}, .batch = false});
  slurm.submit({.size = {.nodes = 2}, .time_limit = sec(60), .partitions = {1}, .priority = 10});
  const JobId urgent = slurm.submit({.time_limit = sec(60), .partitions = {1}, .priority = 1});
  go_to(slurm, 45);
  REQUIRE(slurm.job(victim).state == JobState::leaving);
  slurm.stopped(victim);
  go_to(slurm, 59.5);
  CHECK(slurm.job(urgent).state == JobState::pending);
  go_to(slurm, 60);
  CHECK(slurm.job(urgent).state == JobState::running);
}

// Eligible since 8.25, which Slurm knows as 8.
TEST_CASE("bf_min_age_reserve counts whole seconds", "[slurm][main]") {
  Configuration cluster = with_backfill(cluster_of(2), Backfill::none);
  cluster.settings.backfill.min_age_reserve = sec(52);
  Slurm slurm{cluster};
  slurm.submit({.batch = false});
  go_to(slurm, 8.25);
  slurm.submit({.size = {.nodes = 2}});
  go_to(slurm, 59.5);
  const JobId late = slurm.submit({});
  go_to(slurm, 60);
  CHECK(slurm.job(late).state == JobState::pending);
}
