// Sets of jobs under Kueue (models/simulation/README.md, R17.17 to R17.25). Times in seconds; every GPU is a
// machine.

#include <memory>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/made_up/made_up_kueue.h"
#include "tests/support/runs/played.h"
#include "tests/support/worlds/reduced_shapes.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// A set: its workers, and how long its driver works if not as long as they do.
struct SetSpec {
  SimDuration at{};
  SimDuration work{};
  std::int64_t workers = 8;
  bool is_urgent = false;
  SimDuration driver = SimDuration{-1};
};

/// Workers on H100s and a driver on one L4, each a flavor of one queue, a leg and a large pool. Urgent sets
/// evict others.
struct Cluster {
  Cluster(std::int64_t h100, std::int64_t l4) {
    make.world.classes.resize(3);
    make.world.classes[2].priority = 10;
    pools = {make.pool(100), make.pool(100)};
    add_queue(make.world, "team", {gpu_quota("h100", h100), gpu_quota("l4", l4)},
              {.evicts_own = kueue::PreemptionPolicy::lower_priority});
  }
  Cluster& check(std::vector<std::string> flavors, std::int32_t retries = 3, SimDuration base = 5s) {
    make.world.kueue->objects.cluster_queues.at("team").checks = {{.name = "capacity", .flavors = flavors}};
    make.world.kueue->checks["capacity"] = {.limit = retries, .base = base};
    return *this;
  }
  World build(const std::vector<SetSpec>& sets, JobSetRule rule = {}) {
    make.leg({.policy = workers,
              .places = {pools[0]},
              .limit = limit,
              .classes = {true, false, true},
              .flavor = "h100"});
    make.leg({.policy = driver,
              .places = {pools[1]},
              .limit = limit,
              .classes = {false, true, false},
              .flavor = "l4"});
    auto drivers = std::make_shared<JobColumns>();
    for (const SetSpec& set : sets) {
      make.job({.at = set.at,
                .work = set.work,
                .gpus = set.workers,
                .job_class = set.is_urgent ? std::size_t{2} : std::size_t{0}});
      drivers->submit.push_back(kStart + set.at);
      drivers->work.push_back(set.driver < SimDuration::zero() ? set.work : set.driver);
      drivers->shape.push_back(make.shape(1));
      drivers->job_class.push_back(ClassId{1});
      drivers->user.push_back(UserId{0});
    }
    make.source(TraceDemand{.jobs = drivers});
    World world = make.build();
    for (Source& source : world.sources)
      if (!source.background) source.set = SetMember{.first = SourceId{0}, .rule = rule};
    return world;
  }

  WorldBuilder make;
  std::vector<PoolId> pools;
  Policy workers = on_demand();
  Policy driver = on_demand();
  SimDuration limit = kForever;
};

KueueOutcome kueue_of(const Played& play, std::uint64_t job) { return play.record().jobs.at(job).kueue; }

}  // namespace

TEST_CASE("The jobs of a set are admitted together, each in a flavor of its own", "[rules]") {
  const Played play{Cluster{8, 4}.build({{.at = 0s, .work = 10s}, {.at = 1s, .work = 10s}})};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 1 pool 1: 0 to 10 | completed at 10");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(3) == "leg 1 pool 1: 10 to 20 | completed at 20");  // although the quota has room before
  CHECK(play.record().kueue_queues.at("team") ==
        KueueQueueTotals{.admitted = 2, .held = GpuCount{18} * 10s, .borrowed = {}});
}

TEST_CASE("A set waits for quota for all its jobs", "[rules]") {
  const Played play{Cluster{16, 1}.build({{.at = 0s, .work = 10s}, {.at = 1s, .work = 10s}})};
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 20 | completed at 20");
  for (const std::uint64_t job : {2U, 3U}) {
    CHECK(kueue_of(play, job).wait == 9s);
    CHECK(play.record().jobs.at(job).pending_for[WaitCause::quota] == 9s);
  }
}

TEST_CASE("A set goes where its first job goes, and needs all its pods", "[rules]") {
  Cluster cluster{6, 4};
  add_queue(cluster.make.world, "drivers", {gpu_quota("l4", 4)});
  cluster.make.world.kueue->entrances[0].jobs.classes = {true, false, true};
  World world = cluster.build({{.at = 0s, .work = 10s, .workers = 3}, {.at = 1s, .work = 10s, .workers = 4}});
  for (Shape& shape : world.shapes) shape.nodes = std::exchange(shape.gpus_per_node, 1);
  world.kueue->partial = {{.min_count = 1}};
  add_reduced_shapes(world);
  const Played play{world};
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(kueue_of(play, 2).reduced == GpuCount{0});
  CHECK(play.record().kueue_queues.at("team").held == GpuCount{9} * 10s);
  CHECK(play.record().kueue_queues.at("drivers") == KueueQueueTotals{});
}

TEST_CASE("A job of a set asks for nothing until the requests for capacity of the others are met",
          "[rules]") {
  Cluster cluster{16, 2};
  cluster.pools[0] = cluster.make.pool(8);
  cluster.workers = flex();
  const Played play{cluster.check({"h100"}).build({{.at = 0s, .work = 20s}, {.at = 1s, .work = 10s}})};
  CHECK(play.job(2) == "leg 0 pool 2: 20 to 30 | completed at 30");
  CHECK(play.job(3) == "leg 1 pool 1: 20 to 30 | completed at 30");
  CHECK(kueue_of(play, 3).wait == 0s);  // it has quota from 1 on
}

TEST_CASE("A set that Kueue evicts stops as a whole, and that uses no restart", "[rules]") {
  Cluster cluster{8, 1};
  cluster.workers.notice = 2s;
  const Played play{
      cluster.build({{.at = 0s, .work = 10s}, {.at = 3s, .work = 5s, .is_urgent = true}}, {.restarts = 0})};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 5 preempted, lost 5 | leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(1) == "leg 1 pool 1: 0 to 3 preempted, lost 3 | leg 1 pool 1: 10 to 20 | completed at 20");
  CHECK(play.job(3) == "leg 1 pool 1: 5 to 10 | completed at 10");
  CHECK(play.record().sets.restarts == 0);
  CHECK(play.record().evictions ==
        Evictions{{{.queue = "team", .reason = "InClusterQueue", .by = "team"}, 1}});
  CHECK(kueue_of(play, 0).evictions == 1);
  CHECK(kueue_of(play, 1).evictions == 1);
  CHECK(play.record().gave_way ==
        std::vector<GaveWay>{{.at = kStart + 3s, .job = 0, .to = 2}, {.at = kStart + 3s, .job = 1, .to = 2}});
}

TEST_CASE("A request for capacity of one job is made again for its whole set", "[rules]") {
  Cluster cluster{16, 2};
  cluster.pools[0] = cluster.make.pool(8);
  cluster.workers = flex();
  cluster.limit = 4s;
  SECTION("with those that were held") {
    const Played play{cluster.check({"h100"}).build({{.at = 0s, .work = 12s}, {.at = 1s, .work = 10s}})};
    CHECK(play.job(2) == "leg 0 pool 2: 12 to 22 | completed at 22");
    CHECK(play.job(3) == "leg 1 pool 1: 12 to 22 | completed at 22");
    CHECK(kueue_of(play, 3) == KueueOutcome{.wait = 5s});  // from 5 to 10
    CHECK(kueue_of(play, 2).evictions == 1);
  }
  SECTION("with those that had machines") {
    const Played play{cluster.check({}).build({{.at = 0s, .work = 12s}, {.at = 1s, .work = 10s}})};
    CHECK(play.job(3) ==
          "leg 1 pool 1: 1 works 5 to 5 preempted | leg 1 pool 1: 10 works 12 to 22 | completed at 22");
    CHECK(play.record().evictions == Evictions{{{.queue = "team", .reason = "AdmissionCheck", .by = ""}, 1}});
  }
  SECTION("where several find none at one instant") {
    cluster.pools[1] = cluster.make.pool(1);
    cluster.driver = flex();
    const Played play{cluster.check({}).build({{.at = 0s, .work = 12s}, {.at = 1s, .work = 10s}})};
    CHECK(play.job(2) == "leg 0 pool 2: 12 to 22 | completed at 22");
    CHECK(play.job(3) == "leg 1 pool 3: 12 to 22 | completed at 22");
  }
}

TEST_CASE("A job of a set that completes gives its quota back before the others", "[rules]") {
  const Played play{Cluster{8, 2}.build({{.at = 0s, .work = 5s, .driver = 20s}, {.at = 1s, .work = 10s}})};
  CHECK(play.job(1) == "leg 1 pool 1: 0 to 20 | completed at 20");
  CHECK(play.job(2) == "leg 0 pool 0: 5 to 15 | completed at 15");
  CHECK(play.record().kueue_queues.at("team").held == GpuCount{8} * 15s + GpuCount{1} * 30s);
}

TEST_CASE("A set that comes back asks for those of its jobs that are left", "[rules]") {
  const Played play{Cluster{8, 1}.build(
      {{.at = 0s, .work = 5s, .driver = 20s}, {.at = 8s, .work = 10s, .is_urgent = true}})};
  CHECK(play.job(1) == "leg 1 pool 1: 0 to 8 preempted, lost 8 | leg 1 pool 1: 18 to 38 | completed at 38");
  CHECK(kueue_of(play, 0).evictions == 0);
  CHECK(play.record().kueue_queues.at("team").held == GpuCount{8} * 15s + GpuCount{1} * 38s);
}

TEST_CASE("A check that only jobs of a set need that are done is met at once", "[rules]") {
  const Played play{Cluster{8, 1}.check({"h100"}).build(
      {{.at = 0s, .work = 5s, .driver = 20s}, {.at = 8s, .work = 10s, .is_urgent = true}})};
  CHECK(play.job(1) == "leg 1 pool 1: 0 to 8 preempted, lost 8 | leg 1 pool 1: 18 to 38 | completed at 38");
  CHECK(play.record().kueue_queues.at("team").admitted == 3);
}

TEST_CASE("The pods of a set are ready when it works, and late if one is missing", "[rules]") {
  Cluster cluster{8, 1};
  cluster.pools[1] = cluster.make.pool(0);
  cluster.make.step(cluster.pools[1], 7s, 1);
  cluster.driver.retries = kUnlimited;
  cluster.driver.retry_interval = 1h;
  cluster.make.world.kueue->settings.pods_ready = kueue::WaitForPodsReady{.timeout = 5s, .backoff_base = 3s};
  const Played play{cluster.build({{.at = 0s, .work = 10s}})};
  CHECK(play.job(0) == "leg 0 pool 0: 0 works 5 to 5 preempted | leg 0 pool 0: 8 to 18 | completed at 18");
  CHECK(play.job(1) == "leg 1 pool 2: 8 to 18 | completed at 18");
  CHECK(play.record().evictions == Evictions{{{.queue = "team", .reason = "PodsReadyTimeout", .by = ""}, 1}});
}

TEST_CASE("A job of a set that completes loses no pods", "[rules]") {
  Cluster cluster{8, 1};
  cluster.make.world.kueue->settings.pods_ready =
      kueue::WaitForPodsReady{.timeout = 1min, .recovery_timeout = 4s};
  const Played play{cluster.build({{.at = 0s, .work = 5s, .driver = 20s}})};
  CHECK(play.job(1) == "leg 1 pool 1: 0 to 20 | completed at 20");
  CHECK(play.record().evictions.empty());
}

TEST_CASE("A set of which one job fails leaves Kueue as a whole", "[rules]") {
  Cluster cluster{8, 1};
  cluster.pools[1] = cluster.make.pool(0);
  cluster.make.step(cluster.pools[1], 1s, 1);
  const Played play{cluster.build({{.at = 0s, .work = 10s}, {.at = 1s, .work = 10s}})};
  CHECK(play.job(1) == "refused at 0");
  CHECK(play.job(3) == "leg 1 pool 2: 1 to 11 | completed at 11");
  CHECK(kueue_of(play, 3).wait == 0s);
}
