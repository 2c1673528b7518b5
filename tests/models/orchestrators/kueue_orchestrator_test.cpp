// Kueue before the legs of a strategy. No engine: jobs and clerk are made up.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/orchestrators/kueue_orchestrator.h"
#include "sim/core/check.h"
#include "tests/models/orchestrators/made_up_clerk.h"
#include "tests/support/made_up/made_up_kueue.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

using Slots = std::vector<std::uint32_t>;

/// Two flavors of one queue: "reserved", two nodes of 8 GPUs and a leg, and "dws" behind it, as many GPUs and
/// two legs.
World two_flavors() {
  World world;
  add_urgent_class(world);
  world.shapes.resize(2);
  world.sources.resize(1);
  world.shapes[0].nodes = 2;
  world.shapes[1].tail_gpus = 4;
  for (Shape& shape : world.shapes) shape.gpus_per_node = 8;
  add_queue(world, "team", {gpu_quota("reserved", 16), gpu_quota("dws", 16)},
            {.evicts_own = kueue::PreemptionPolicy::lower_priority});
  return world;
}

struct UnderKueue {
  explicit UnderKueue(World with = two_flavors())
      : world{std::move(with)}, strategy{legs()}, orchestrator{world, strategy} {}

  static Strategy legs() {
    Strategy made;
    for (const std::string flavor : {"reserved", "dws", "dws"}) {
      Leg& leg = made.legs.emplace_back();
      leg.flavor = flavor;
      leg.candidates = {{Candidate{}}, {Candidate{}}};
    }
    return made;
  }
  MadeUpJob job(std::uint16_t job_class = 0) {
    MadeUpJob made{.slot = jobs++};
    made.job.job_class = ClassId{job_class};
    return made;
  }
  /// It is to begin an attempt, and Kueue has its turn.
  MadeUpJob comes(std::uint16_t job_class = 0) {
    const MadeUpJob made = job(job_class);
    CHECK_FALSE(orchestrator.may_try(made.view(), clerk));
    turn();
    return made;
  }
  void turn() {
    while (orchestrator.is_due()) orchestrator.turn(clerk);
  }
  void hears(News::Kind kind, const MadeUpJob& of) {
    orchestrator.heard(of.news(kind), clerk);
    turn();
  }

  World world;
  Strategy strategy;
  MadeUpClerk clerk;
  std::uint32_t jobs = 0;
  KueueOrchestrator orchestrator;
};

}  // namespace

TEST_CASE("Kueue's flavor says in which legs a job may ask", "[orchestrators]") {
  UnderKueue under;
  const MadeUpJob first = under.comes();
  under.comes();
  under.comes();
  CHECK(under.clerk.take() == Slots{0, 1});
  CHECK(under.clerk.legs_of[0] == 0b001);
  CHECK(under.clerk.legs_of[1] == 0b110);
  CHECK(under.orchestrator.may_try(first.view(), under.clerk));  // another attempt: it has its quota
  under.hears(News::Kind::final, first);
  CHECK(under.clerk.take() == Slots{2});
  CHECK(under.clerk.legs_of[2] == 0b001);
}

TEST_CASE("A job that Kueue evicts is suspended once, and gives way when it comes back", "[orchestrators]") {
  UnderKueue under;
  const MadeUpJob first = under.comes();
  under.comes();
  under.comes(1);
  CHECK(under.clerk.take() == Slots{0, 1});
  CHECK(under.clerk.suspended == Slots{0});  // the one in the first flavor
  CHECK_FALSE(under.orchestrator.may_try(first.view(), under.clerk));
  under.turn();
  CHECK(under.clerk.take() == Slots{2});
  CHECK(under.clerk.suspended == Slots{0});
}

TEST_CASE("A job of unequal nodes is one pod, so that it gets one flavor", "[orchestrators]") {
  const World world = two_flavors();
  const auto pods_of = [&](std::uint32_t shape) {
    return workload_of(*world.kueue, {}, world.shapes[shape], world.classes[1], {"dws"}).spec;
  };
  CHECK(pods_of(0).pod_sets[0].count == 2);
  CHECK(pods_of(0).pod_sets[0].requests.at(kKueueResource) == kueue::Amount{8});
  CHECK(pods_of(1).pod_sets.size() == 1);
  CHECK(pods_of(1).pod_sets[0].count == 1);
  CHECK(pods_of(1).pod_sets[0].requests.at(kKueueResource) == kueue::Amount{12});
  CHECK(pods_of(1).priority == 10);
}

TEST_CASE("A job goes to the first local queue that takes its class and its user", "[orchestrators]") {
  KueueCluster cluster;
  cluster.entrances = {{.local_queue = "one", .jobs = {.classes = {false, true}, .users = {true, false}}},
                       {.local_queue = "two", .jobs = {.classes = {}, .users = {false, true}}},
                       {.local_queue = "rest"}};
  const auto queue_of = [&](std::uint16_t job_class, std::uint32_t user) {
    return cluster.local_queue_of({.job_class = ClassId{job_class}, .user = UserId{user}});
  };
  CHECK(queue_of(1, 0) == "one");
  CHECK(queue_of(1, 1) == "two");
  CHECK(queue_of(0, 0) == "rest");
  CHECK(queue_of(0, 7) == "rest");
  cluster.entrances.pop_back();
  CHECK_THROWS_AS(queue_of(0, 0), InvariantError);
}

TEST_CASE("A job whose flavors have no place for it is none of Kueue's", "[orchestrators]") {
  UnderKueue under;
  MadeUpJob tenant = under.job();
  tenant.is_tenant = true;
  CHECK_FALSE(under.orchestrator.concerns(tenant.view()));
  CHECK(under.orchestrator.concerns(under.job().view()));
  for (Leg& leg : under.strategy.legs) leg.candidates[0].clear();
  CHECK_FALSE(under.orchestrator.concerns(under.job().view()));
}

TEST_CASE("Who waits when the run ends has waited until then", "[orchestrators]") {
  UnderKueue under;
  under.comes();
  under.comes();
  under.clerk.time = kStart + 5s;
  under.comes();
  RunRecord record;
  record.end = kStart + 25s;
  for (int i = 0; i < 3; ++i) (void)record.jobs.add();
  under.orchestrator.check();
  under.orchestrator.write(record);
  for (int i = 0; i < 3; ++i) record.jobs.set(static_cast<std::uint64_t>(i), {});
  CHECK(record.jobs.at(1).kueue == KueueOutcome{});
  CHECK(record.jobs.at(2).kueue == KueueOutcome{.wait = 20s});
}
