// Pipelines (models/simulation/README.md, section 14). Times in seconds.

#include <cstdint>
#include <memory>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// Further steps: each for so long, behind those of so many.
struct StepSpec {
  SimDuration work{};
  std::vector<std::uint16_t> after;
  bool begins_anyway = false;
  std::int64_t gpus = 1;
  SimDuration max_wait = kForever;
};

/// The jobs of `make` begin pipelines; step n is that of source n.
World with_steps(WorldBuilder& make, const std::vector<StepSpec>& steps, PipelineStep first = {}) {
  for (const StepSpec& step : steps) {
    SyntheticDemand demand;
    demand.arrivals = FollowingArrivals{};
    demand.until = kNever;
    demand.shapes = {{.shape = make.shape(step.gpus)}};
    demand.work = {.a = step.work};
    demand.max_wait = {.a = step.max_wait};
    make.source(demand);
  }
  World world = make.build();
  world.sources[0].step = first;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    PipelineStep& step = world.sources[i + 1].step.emplace();
    for (const std::uint16_t before : steps[i].after) step.after.push_back(SourceId{before});
    step.begins_anyway = steps[i].begins_anyway;
  }
  return world;
}

/// One pool, asked at once and without retries.
struct OnePool {
  explicit OnePool(std::int64_t gpus) { make.leg({.policy = on_demand(), .places = {make.pool(gpus)}}); }
  WorldBuilder make;
};

}  // namespace

TEST_CASE("Each step of a pipeline queues anew when those before it have completed", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = flex(), .places = {make.pool(1)}});
  make.job({.at = 0s, .work = 10s});
  make.job({.at = 1s, .work = 10s});
  const Played play{with_steps(make, {{.work = 5s, .after = {0}}, {.work = 3s, .after = {1}}})};
  // In order of (submission, source): jobs 0 and 3 begin the pipelines.
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(3) == "leg 0 pool 0: 10 to 20 | completed at 20");  // it asked before
  CHECK(play.job(1) == "leg 0 pool 0: 20 to 25 | completed at 25");
  CHECK(play.job(2) == "leg 0 pool 0: 30 to 33 | completed at 33");  // asks at 25, behind job 4
  CHECK(play.job(4) == "leg 0 pool 0: 25 to 30 | completed at 30");
  CHECK(play.job(5) == "leg 0 pool 0: 33 to 36 | completed at 36");
}

TEST_CASE("A step's own maximum wait counts from when it is let go", "[rules]") {
  OnePool pool{1};
  pool.make.job({.at = 0s, .work = 10s});
  const World world = with_steps(pool.make, {{.work = 5s, .after = {0}, .max_wait = 1s}});
  const Played play{world};
  CHECK(play.job(1) == "leg 0 pool 0: 10 to 15 | completed at 15");
  CHECK(play.record().jobs.at(1).released == kStart + 10s);
}

TEST_CASE("A step joins branches when the last of them has completed", "[rules]") {
  OnePool pool{2};
  pool.make.job({.at = 0s, .work = 1s});
  const World world = with_steps(
      pool.make, {{.work = 5s, .after = {0}}, {.work = 9s, .after = {0}}, {.work = 2s, .after = {1, 2}}});
  const Played play{world};
  CHECK(play.job(1) == "leg 0 pool 0: 1 to 6 | completed at 6");
  CHECK(play.job(2) == "leg 0 pool 0: 1 to 10 | completed at 10");
  CHECK(play.job(3) == "leg 0 pool 0: 10 to 12 | completed at 12");
}

TEST_CASE("Behind a step that was refused nothing begins, save what begins anyway", "[rules]") {
  OnePool pool{2};
  pool.make.job({.at = 0s, .work = 1s});
  const World world = with_steps(pool.make, {{.work = 5s, .after = {0}, .gpus = 8},
                                             {.work = 5s, .after = {1}},
                                             {.work = 2s, .after = {2}, .begins_anyway = true},
                                             {.work = 3s, .after = {0}}});
  const Played play{world};
  CHECK(play.job(1) == "refused at 1");
  CHECK(play.job(2) == "skipped at 1");
  CHECK(play.job(3) == "leg 0 pool 0: 1 to 3 | completed at 3");
  CHECK(play.job(4) == "leg 0 pool 0: 1 to 4 | completed at 4");
  CHECK(play.record().jobs.at(2).released == kStart + 1s);
  CHECK(play.record().jobs.at(2).first_grant == kNever);
}

TEST_CASE("A step that comes after the one before it was refused is skipped at once", "[rules]") {
  OnePool pool{2};
  pool.make.job({.at = 0s, .work = 1s, .gpus = 8});  // final before the others come, in the same instant
  const World world = with_steps(pool.make, {{.work = 5s, .after = {0}},
                                             {.work = 2s, .after = {0}, .begins_anyway = true},
                                             {.work = 3s, .after = {1, 2}, .begins_anyway = true}});
  const Played play{world};
  CHECK(play.job(0) == "refused at 0");
  CHECK(play.job(1) == "skipped at 0");
  CHECK(play.job(2) == "leg 0 pool 0: 0 to 2 | completed at 2");
  CHECK(play.job(3) == "leg 0 pool 0: 2 to 5 | completed at 5");
}

TEST_CASE("A pipeline that ends with a failure begins no further step; what runs goes on", "[rules]") {
  OnePool pool{2};
  pool.make.job({.at = 0s, .work = 1s});
  const World world = with_steps(
      pool.make,
      {{.work = 5s, .after = {0}, .gpus = 8}, {.work = 4s, .after = {0}}, {.work = 2s, .after = {2}}},
      {.after = {}, .ends_with_failure = true});
  const Played play{world};
  CHECK(play.job(1) == "refused at 1");
  CHECK(play.job(2) == "leg 0 pool 0: 1 to 5 | completed at 5");
  CHECK(play.job(3) == "skipped at 1");
}

TEST_CASE("Behind a group one job follows, when all of it have completed", "[rules]") {
  OnePool pool{4};
  for (const auto work : {3s, 8s, 5s}) pool.make.job({.at = 2s, .work = work, .group = 1});
  World world = with_steps(pool.make, {{.work = 2s, .after = {0}}}, {.after = {}, .by_group = true});
  const Played play{world};
  CHECK(play.job(3) == "leg 0 pool 0: 10 to 12 | completed at 12");
  CHECK(play.record().jobs.size() == 4);
}

TEST_CASE("A job that is skipped is not submitted again", "[rules]") {
  OnePool pool{2};
  pool.make.job({.at = 0s, .work = 1s});
  World world = with_steps(pool.make, {{.work = 5s, .after = {0}, .gpus = 8}, {.work = 5s, .after = {1}}});
  world.strategies[0].resubmission = Resubmission{.after = 1h, .give_up_after = 10h};
  const Played play{world};
  CHECK(play.job(1) == "refused at 1");  // no leg could ever hold it
  CHECK(play.job(2) == "skipped at 1");
}

// The pool's one GPU is on demand to others from 10 to 100. At 10 the step asks and is refused. It is tried
// again at 30, 70, 120: after 20, 40 and 50.
TEST_CASE("A pipeline tries a step again, after pauses that grow", "[rules]") {
  OnePool pool{1};
  pool.make.job({.at = 0s, .work = 10s});
  pool.make.job({.at = 9s, .work = 1s});  // refused: its pipeline has a retry for further steps alone
  World world = with_steps(pool.make, {{.work = 5s, .after = {0}}, {.work = 2s, .after = {1}}});
  CapacitySource& source = world.pools[0].capacity[0];
  source.steps.push_back({.at = kStart + 10s, .gpus = GpuCount{0}});
  source.steps.push_back({.at = kStart + 100s, .gpus = GpuCount{1}});
  StepRetry& retry = world.sources[1].step->retry;
  retry = {.times = 3, .first = 20s, .factor_ppm = 2'000'000, .most = 50s};
  SECTION("until it has what it asks for") {
    const Played play{world};
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
    CHECK(play.job(1) == "leg 0 pool 0: 120 to 125 | completed at 125");
    CHECK(play.job(2) == "leg 0 pool 0: 125 to 127 | completed at 127");
    CHECK(play.job(3) == "refused at 9");
    CHECK(play.job(4) == "skipped at 9");
    CHECK(play.record().jobs.at(1).released == kStart + 10s);
  }
  SECTION("so often and no more") {
    retry.times = 2;
    const Played play{world};
    CHECK(play.job(1) == "refused at 70");
    CHECK(play.job(2) == "skipped at 70");
  }
}

TEST_CASE("A step is tried again before its user hears of it", "[rules]") {
  OnePool pool{1};
  pool.make.job({.at = 0s, .work = 10s, .gpus = 1});
  World world = with_steps(pool.make, {{.work = 5s, .after = {0}}});
  CapacitySource& source = world.pools[0].capacity[0];
  source.steps.push_back({.at = kStart + 10s, .gpus = GpuCount{0}});
  source.steps.push_back({.at = kStart + 56s, .gpus = GpuCount{1}});
  world.strategies[0].resubmission = Resubmission{.after = 30s};
  world.sources[1].step->retry = {.times = 1, .first = 8s, .most = 8s};
  // Refused at 10 and 18. Its user submits it at 48, when it may be tried once more: at 56.
  CHECK(Played{world}.job(1) == "leg 0 pool 0: 56 to 61 | completed at 61");
}

TEST_CASE("A maximum wait of 0s ends a step once, whatever else ends with it", "[rules]") {
  WorldBuilder make;
  make.leg({.policy = flex(), .places = {make.pool(1)}, .limit = 0s});
  make.job({.at = 0s, .work = 10s});
  World world = with_steps(make, {{.work = 5s, .after = {0}, .max_wait = 0s}});
  CapacitySource& source = world.pools[0].capacity[0];
  source.steps.push_back({.at = kStart + 10s, .gpus = GpuCount{0}});
  source.steps.push_back({.at = kStart + 12s, .gpus = GpuCount{1}});
  world.strategies[0].resubmission = Resubmission{.after = 30s};
  world.sources[1].step->retry = {.times = 1, .first = 8s, .most = 8s};
  // At 10 its leg's patience is over, and its own maximum wait. The one try of its pipeline is at 18.
  CHECK(Played{world}.job(1) == "leg 0 pool 0: 18 to 23 | completed at 23");
}

TEST_CASE("Steps come to their group when their pipelines let them go", "[rules]") {
  OnePool pool{9};
  pool.make.world.classes.resize(2);
  pool.make.world.classes[1].parallel = 1;
  for (const auto work : {10s, 2s, 4s}) pool.make.job({.at = 0s, .work = work});
  const ShapeId shape = pool.make.shape(1);
  pool.make.source(TraceDemand{
      .jobs = std::make_shared<JobColumns>(JobColumns{.submit = {kStart, kStart, kStart},
                                                      .work = {5s, 20s, 5s},
                                                      .shape = {shape, shape, shape},
                                                      .job_class = {ClassId{1}, ClassId{1}, ClassId{1}},
                                                      .user = {UserId{0}, UserId{0}, UserId{0}},
                                                      .row = {},
                                                      .estimate = {},
                                                      .max_wait = {},
                                                      .deadline = {},
                                                      .group = {1, 1, 1}})});
  World world = pool.make.build();
  world.sources[0].step.emplace();
  world.sources[1].step.emplace().after = {SourceId{0}};
  const Played play{world};
  CHECK(play.job(4) == "leg 0 pool 0: 2 to 22 | completed at 22");
  CHECK(play.job(5) == "leg 0 pool 0: 22 to 27 | completed at 27");  // it came at 4
  CHECK(play.job(3) == "leg 0 pool 0: 27 to 32 | completed at 32");  // at 10
}
