// Slurm before the legs of a strategy. No engine: jobs and clerk are made up. Where nothing else is said,
// schedulers work at each event.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/orchestrators/slurm_orchestrator.h"
#include "tests/models/orchestrators/made_up_clerk.h"
#include "tests/support/made_up/made_up_slurm.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Slots = std::vector<std::uint32_t>;

/// Jobs of one node of 8 GPUs, in classes 0 and 1.
World jobs_of_one_node() {
  World world;
  world.shapes.resize(1);
  world.shapes[0].gpus_per_node = 8;
  world.classes.resize(2);
  world.sources.resize(1);
  world.sources[0].demand = SyntheticDemand{};
  slurm_of(world).options = {{.time_limit = 60s}};
  return world;
}

/// Partitions "fixed" of two nodes and "cloud" of one that comes and goes, within five minutes.
World fixed_and_cloud() {
  World world = jobs_of_one_node();
  add_partition(world, "fixed", {.count = 2, .gpus = 8});
  add_partition(world, "cloud", {.count = 1, .gpus = 8, .is_elastic = true});
  return world;
}

/// One node, in "low" and in "high", whose jobs preempt others. Slurm looks at its queue every five seconds.
World two_tiers_of_one_node() {
  World world = jobs_of_one_node();
  slurm::Partition high = add_partition(world, "low", {.count = 1, .gpus = 8});
  high.name = "high";
  high.priority_tier = 2;
  slurm::Configuration& cluster = slurm_of(world).configuration;
  cluster.partitions.push_back(high);
  cluster.settings.backfill_type = slurm::Backfill::none;
  cluster.settings.main = {.sched_interval = 5s, .batch_sched_delay = 0s};
  cluster.settings.preemption = {.type = slurm::PreemptType::partition_priority,
                                 .mode = slurm::PreemptMode::requeue};
  return world;
}

/// A leg for each partition. The first is for class 0 alone, the second for both.
struct SlurmAhead {
  explicit SlurmAhead(World with)
      : world{std::move(with)}, strategy{legs_of(world)}, orchestrator{world, strategy} {}

  static Strategy legs_of(const World& world) {
    Strategy made;
    for (const slurm::Partition& partition : world.slurm->configuration.partitions) {
      Leg& leg = made.legs.emplace_back();
      leg.partition = partition.name;
      leg.candidates = {{Candidate{}}};
    }
    made.legs[0].classes = {true, false};
    return made;
  }
  MadeUpJob job(std::uint16_t job_class = 0) {
    MadeUpJob made{.slot = jobs++};
    made.job.job_class = ClassId{job_class};
    return made;
  }
  /// A job is to begin an attempt, and Slurm has its turn.
  MadeUpJob comes(std::uint16_t job_class = 0) {
    const MadeUpJob made = job(job_class);
    comes_back(made);
    return made;
  }
  void comes_back(const MadeUpJob& job) {
    CHECK_FALSE(orchestrator.may_try(job.view(), clerk));
    turn();
  }
  void turn() {
    while (orchestrator.is_due()) orchestrator.turn(clerk);
  }
  void hears(const News& news) {
    orchestrator.heard(news, clerk);
    turn();
  }
  void completes(const MadeUpJob& job) {
    News news = job.news(News::Kind::final);
    news.state = FinalState::completed;
    hears(news);
  }
  /// All that the orchestrator wants to be woken for until `at` has come.
  void wait_until(SimDuration at) {
    while (!clerk.timers.empty() && clerk.timers.begin()->first <= kStart + at) {
      const auto [time, token] = *clerk.timers.begin();
      clerk.timers.erase(clerk.timers.begin());
      clerk.time = time;
      orchestrator.timer(token, clerk);
      turn();
    }
    clerk.time = kStart + at;
  }

  World world;
  Strategy strategy;
  MadeUpClerk clerk;
  std::uint32_t jobs = 0;
  SlurmOrchestrator orchestrator;
};

}  // namespace

TEST_CASE("Slurm's partition says in which leg a job may ask", "[orchestrators]") {
  SlurmAhead slurm{fixed_and_cloud()};
  const MadeUpJob first = slurm.comes();
  slurm.comes();
  slurm.comes(1);
  slurm.comes();  // all nodes are taken
  CHECK(slurm.clerk.take() == Slots{0, 1, 2});
  CHECK(slurm.clerk.legs_of[0] == 0b01);
  CHECK(slurm.clerk.legs_of[1] == 0b01);
  CHECK(slurm.clerk.legs_of[2] == 0b10);
  slurm.completes(first);
  CHECK(slurm.clerk.take() == Slots{3});
  CHECK(slurm.clerk.legs_of[3] == 0b01);
}

TEST_CASE("Who may be nobody's in Slurm: tenants, and jobs without a leg that has room for them",
          "[orchestrators]") {
  SlurmAhead slurm{fixed_and_cloud()};
  MadeUpJob tenant = slurm.job();
  tenant.is_tenant = true;
  CHECK_FALSE(slurm.orchestrator.concerns(tenant.view()));
  CHECK(slurm.orchestrator.concerns(slurm.job(1).view()));
  slurm.strategy.legs[1].candidates[0].clear();
  CHECK_FALSE(slurm.orchestrator.concerns(slurm.job(1).view()));
  CHECK(slurm.orchestrator.concerns(slurm.job(0).view()));
}

// The first stops two seconds after it was told to, and is eligible again 10s after that. A cycle over the
// full queue has just been then; the next is at 20s.
TEST_CASE("Whom Slurm preempts is suspended once, and then is pending again", "[orchestrators]") {
  SlurmAhead slurm{two_tiers_of_one_node()};
  slurm.strategy.legs[1].classes = {false, true};
  slurm.clerk.time = kStart + 1s;
  const MadeUpJob first = slurm.comes();
  slurm.wait_until(3s);
  CHECK(slurm.clerk.take() == Slots{0});
  const MadeUpJob second = slurm.comes(1);
  slurm.wait_until(5s);
  CHECK(slurm.clerk.suspended == Slots{0});
  CHECK(slurm.clerk.take().empty());  // the node is not free yet
  slurm.comes_back(first);
  slurm.wait_until(12s);
  CHECK(slurm.clerk.take() == Slots{1});
  CHECK(slurm.clerk.legs_of[1] == 0b10);
  slurm.completes(second);
  slurm.wait_until(14s);
  CHECK(slurm.clerk.take().empty());
  slurm.wait_until(15s);  // eligible again, at the time of a full cycle
  CHECK(slurm.clerk.take() == Slots{0});
  CHECK(slurm.clerk.suspended == Slots{0});
  RunRecord record;
  slurm.orchestrator.write(record);
  CHECK(record.gave_way == std::vector<GaveWay>{{.at = kStart + 3s, .job = 0, .to = 1}});
}

// Slurm ends a job in the millisecond after its limit, which counts from when the node is up: 40s + 60s.
TEST_CASE("The time limit of a job on elastic nodes runs from when they are up", "[orchestrators]") {
  SlurmAhead slurm{fixed_and_cloud()};
  const MadeUpJob job = slurm.comes(1);
  CHECK(slurm.clerk.take() == Slots{0});
  slurm.hears(job.news(News::Kind::granted));
  News starts = job.news(News::Kind::starts);
  starts.works = kStart + 40s;
  slurm.hears(starts);
  slurm.wait_until(100s);
  CHECK(slurm.clerk.failed.empty());
  slurm.wait_until(100s + 1ms);
  CHECK(slurm.clerk.failed == Slots{0});
}

// Asked for at 0s, it was to be up at 300s. slurmsync looks 30s later.
TEST_CASE("A job without machines is tried again, and its nodes are DOWN for a while", "[orchestrators]") {
  SlurmAhead slurm{fixed_and_cloud()};
  const MadeUpJob job = slurm.comes(1);
  CHECK(slurm.clerk.take() == Slots{0});
  CHECK(slurm.orchestrator.tries_again(job.view(), slurm.clerk));
  CHECK_FALSE(slurm.orchestrator.tries_again(job.view(), slurm.clerk));
  slurm.turn();
  CHECK(slurm.clerk.suspended.empty());  // it comes by itself
  slurm.comes_back(job);
  slurm.wait_until(330s - 1ms);
  CHECK(slurm.clerk.take().empty());
  slurm.wait_until(330s);
  CHECK(slurm.clerk.take() == Slots{0});
  slurm.hears(job.news(News::Kind::granted));
  CHECK_FALSE(slurm.orchestrator.tries_again(job.view(), slurm.clerk));  // it had machines
}

// The third waits behind nobody, the fourth for 20s behind it. The first two have one each.
TEST_CASE("Who is pending in Slurm when the run ends has waited until then", "[orchestrators]") {
  SlurmAhead slurm{fixed_and_cloud()};
  slurm.strategy.legs[1].candidates[0].clear();
  for (int i = 0; i < 3; ++i) slurm.comes();
  slurm.clerk.time = kStart + 5s;
  slurm.comes();
  CHECK(slurm.clerk.take() == Slots{0, 1});
  RunRecord record;
  record.end = kStart + 25s;
  for (int i = 0; i < 4; ++i) (void)record.jobs.add();
  slurm.orchestrator.check();
  slurm.orchestrator.write(record);
  for (int i = 0; i < 4; ++i) record.jobs.set(static_cast<std::uint64_t>(i), {});
  const auto waits = [&](std::uint64_t job, WaitCause cause) {
    return record.jobs.at(job).pending_for[cause];
  };
  CHECK(record.jobs.at(1).pending_for == WaitTimes{});
  CHECK(waits(2, WaitCause::capacity) == 25s);
  CHECK(waits(2, WaitCause::priority) == 0s);
  CHECK(waits(3, WaitCause::priority) == 20s);
}
