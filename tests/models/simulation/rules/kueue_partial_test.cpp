// Kueue's partial admission (models/simulation/README.md, R17.14 and R17.15). Times in seconds; every GPU is
// a machine, and a pod.

#include <utility>

#include <catch2/catch.hpp>

#include "tests/support/made_up/made_up_kueue.h"
#include "tests/support/runs/played.h"
#include "tests/support/worlds/reduced_shapes.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// The flavors, each a leg in one large pool, of one queue. Urgent jobs evict others.
WorldBuilder queue_of(std::vector<kueue::FlavorQuotas> flavors) {
  WorldBuilder make;
  const PoolId pool = make.pool(100);
  for (const kueue::FlavorQuotas& each : flavors)
    make.leg({.policy = on_demand(), .places = {pool}, .flavor = each.flavor});
  add_queue(make.world, "team", std::move(flavors), {.evicts_own = kueue::PreemptionPolicy::lower_priority});
  add_urgent_class(make.world);
  return make;
}

/// Jobs are gangs of one GPU a node, of which fewer will do.
World with_fewer(WorldBuilder make, const PartialAdmission& fewer) {
  for (Shape& shape : make.world.shapes) shape.nodes = std::exchange(shape.gpus_per_node, 1);
  make.world.kueue->partial = {fewer};
  World world = make.build();
  add_reduced_shapes(world);
  return world;
}

GpuCount reduced(const Played& play, std::uint64_t job) { return play.record().jobs.at(job).kueue.reduced; }

}  // namespace

TEST_CASE("A job that does not fit is admitted with as many pods as do, and works longer on them",
          "[rules]") {
  WorldBuilder make = queue_of({gpu_quota("gpu", 4)});
  make.job({.at = 0s, .work = 10s, .gpus = 1});
  make.job({.at = 1s, .work = 12s, .gpus = 4});
  const Played play{with_fewer(make, {.min_count = 1})};
  CHECK(play.job(1) == "leg 0 pool 0: 1 to 17 | completed at 17");  // at three quarters, though all fit at 10
  CHECK(reduced(play, 0) == GpuCount{0});
  CHECK(reduced(play, 1) == GpuCount{3});
  CHECK(play.record().jobs.at(1).leased == 16s);
  CHECK(play.usage(0) == "used 58 billed 240 | useful 58");  // 10 and 4 x 12; billed at least 60 each
  CHECK(play.record().kueue_queues.at("team").held == GpuCount{1} * 10s + GpuCount{3} * 16s);
}

TEST_CASE("A job waits for the fewest pods that will do, and is admitted with all that fit then", "[rules]") {
  WorldBuilder make = queue_of({gpu_quota("gpu", 4)});
  make.job({.at = 0s, .work = 10s, .gpus = 3});
  make.job({.at = 1s, .work = 12s, .gpus = 4});
  const Played by_count{with_fewer(make, {.min_count = 2})};
  CHECK(by_count.job(1) == "leg 0 pool 0: 10 to 22 | completed at 22");
  CHECK(reduced(by_count, 1) == GpuCount{0});
  CHECK(by_count.record().jobs.at(1).pending_for[WaitCause::quota] == 9s);
  const Played by_share{with_fewer(make, {.min_share_ppm = 250'001})};  // of four: two
  CHECK(by_share.job(1) == by_count.job(1));
  const Played by_less{with_fewer(make, {.min_share_ppm = 250'000})};
  CHECK(by_less.job(1) == "leg 0 pool 0: 1 to 49 | completed at 49");
}

TEST_CASE("Fewer pods are looked for in all flavors, and cost no time of a larger size", "[rules]") {
  WorldBuilder make = queue_of({gpu_quota("reserved", 2), gpu_quota("dws", 3)});
  make.job({.at = 0s, .work = 12s, .gpus = 6});
  make.job({.at = 1s, .work = 12s, .gpus = 6});
  const Played play{with_fewer(make, {.min_count = 1})};
  CHECK(play.job(0) == "leg 1 pool 0: 0 to 24 | completed at 24");
  CHECK(reduced(play, 0) == GpuCount{3});
  CHECK(play.job(1) == "leg 0 pool 0: 1 to 37.001 | completed at 37.001");  // the rate is 333,333 ppm
  CHECK(reduced(play, 1) == GpuCount{2});
}

TEST_CASE("A job that may evict evicts for all its pods, and whom it evicts comes back with those that fit",
          "[rules]") {
  WorldBuilder make = queue_of({gpu_quota("gpu", 5)});
  make.job({.at = 0s, .work = 10s, .gpus = 3});
  make.job({.at = 2s, .work = 4s, .gpus = 4, .job_class = 1});
  const Played play{with_fewer(make, {.min_count = 1})};
  CHECK(play.job(1) == "leg 0 pool 0: 2 to 6 | completed at 6");
  CHECK(play.job(0) ==
        "leg 0 pool 0: 0 to 2 preempted, lost 2 | leg 0 pool 0: 2 to 32.001 | completed at 32.001");
  CHECK(reduced(play, 0) == GpuCount{1});
}

TEST_CASE("The first entry that takes a job says how few of its pods will do", "[rules]") {
  WorldBuilder make = queue_of({gpu_quota("gpu", 4)});
  make.job({.at = 0s, .work = 10s, .gpus = 3, .job_class = 1});
  make.job({.at = 1s, .work = 12s, .gpus = 2});
  make.job({.at = 2s, .work = 12s, .gpus = 2, .job_class = 1});
  const Played play{with_fewer(make, {.jobs = {.classes = {false, true}}, .min_count = 1})};
  CHECK(play.job(1) == "leg 0 pool 0: 10 to 22 | completed at 22");
  CHECK(play.job(2) == "leg 0 pool 0: 2 to 26 | completed at 26");
}
