// Quotas of CPUs and memory beside those of GPUs (models/simulation/README.md, R17.26 to R17.29). Times in
// seconds; every GPU is a machine.

#include <string>

#include <catch2/catch.hpp>

#include "tests/support/made_up/made_up_kueue.h"
#include "tests/support/runs/played.h"
#include "tests/support/worlds/reduced_shapes.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

/// A flavor with a quota of GPUs and of CPUs.
kueue::FlavorQuotas with_cpu(const std::string& flavor, std::int64_t gpus, std::int64_t cpus) {
  kueue::FlavorQuotas quotas = gpu_quota(flavor, gpus);
  quotas.quotas["cpu"] = {.nominal = kueue::Amount{cpus}};
  return quotas;
}

void ask_for_cpus(World& world, std::int64_t per_gpu, std::vector<bool> classes = {}) {
  world.kueue->requests.push_back(
      {.jobs = {.classes = std::move(classes)}, .resource = "cpu", .per_gpu = kueue::Amount{per_gpu}});
}

/// Two flavors of one queue, each a leg in a large pool.
WorldBuilder two_flavors(const kueue::FlavorQuotas& first, const kueue::FlavorQuotas& second) {
  WorldBuilder make;
  const PoolId pool = make.pool(100);
  make.leg({.policy = on_demand(), .places = {pool}, .flavor = "a"});
  make.leg({.policy = on_demand(), .places = {pool}, .flavor = "b"});
  add_queue(make.world, "team", {first, second});
  return make;
}

/// A group of flavors that no leg names, with so many CPUs each, in order.
void add_cpu_group(World& world, const std::string& queue,
                   const std::vector<std::pair<std::string, std::int64_t>>& flavors) {
  kueue::ResourceGroup& group = world.kueue->objects.cluster_queues.at(queue).groups.emplace_back();
  for (const auto& [name, cpus] : flavors) {
    world.kueue->objects.flavors[name] = {.name = name};
    group.flavors.push_back({.flavor = name, .quotas = {{"cpu", {.nominal = kueue::Amount{cpus}}}}});
  }
}

WaitTimes pending_for(const Played& play, std::uint64_t job) {
  return play.record().jobs.at(job).pending_for;
}

}  // namespace

// 8 GPUs are free in flavor a, but CPUs for two of them.
TEST_CASE("A flavor takes a job only if it has quota of all that its pods ask for", "[rules]") {
  WorldBuilder make = two_flavors(with_cpu("a", 16, 80), with_cpu("b", 4, 100));
  ask_for_cpus(make.world, 10);
  make.job({.at = 0s, .work = 10s, .gpus = 6});
  make.job({.at = 1s, .work = 10s, .gpus = 4});
  make.job({.at = 2s, .work = 10s, .gpus = 3});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 1 pool 0: 1 to 11 | completed at 11");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(pending_for(play, 2)[WaitCause::quota] == 8s);
}

TEST_CASE("Pods ask for as much as the first entry says that takes their job", "[rules]") {
  WorldBuilder make = two_flavors(with_cpu("a", 16, 40), with_cpu("b", 0, 0));
  make.world.classes.resize(2);
  ask_for_cpus(make.world, 2, {true, false});
  ask_for_cpus(make.world, 10);
  make.job({.at = 0s, .work = 10s, .gpus = 8});
  make.job({.at = 1s, .work = 10s, .gpus = 2, .job_class = 1});
  make.job({.at = 1s, .work = 10s, .gpus = 1, .job_class = 1});
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 0: 1 to 11 | completed at 11");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 20 | completed at 20");
}

TEST_CASE("A job whose queue has no quota of what it asks for waits for ever", "[rules]") {
  WorldBuilder make = two_flavors(gpu_quota("a", 16), gpu_quota("b", 16));
  ask_for_cpus(make.world, 1);
  make.world.end = RunEnd::time;
  make.world.window_end = kStart + 50s;
  make.job({.at = 0s, .work = 10s, .gpus = 1});
  const Played play{make};
  CHECK(play.job(0) == "unfinished at 50");
  CHECK(pending_for(play, 0)[WaitCause::quota] == 50s);
}

TEST_CASE("CPUs are borrowed and reclaimed as GPUs are, and a job waits for what others borrowed",
          "[rules]") {
  WorldBuilder make;
  make.world.classes.resize(2);
  make.leg({.policy = on_demand(), .places = {make.pool(100)}, .flavor = "gpu"});
  const auto reclaims = GENERATE(kueue::PreemptionPolicy::never, kueue::PreemptionPolicy::any);
  const bool is_apart = GENERATE(false, true);  // in a flavor of their own
  const kueue::FlavorQuotas quotas = is_apart ? gpu_quota("gpu", 8) : with_cpu("gpu", 8, 20);
  add_queue(make.world, "a", {quotas}, {.classes = {true, false}, .cohort = "all"});
  add_queue(make.world, "b", {quotas}, {.classes = {false, true}, .cohort = "all", .reclaims = reclaims});
  for (const char* queue : {"a", "b"}) {
    if (is_apart) add_cpu_group(make.world, queue, {{"x", 20}});
  }
  ask_for_cpus(make.world, 10);
  make.job({.at = 0s, .work = 10s, .gpus = 4});  // 40 CPUs: all of both
  make.job({.at = 2s, .work = 4s, .gpus = 2, .job_class = 1});
  const Played play{make};
  if (reclaims == kueue::PreemptionPolicy::never) {
    CHECK(play.job(1) == "leg 0 pool 0: 10 to 14 | completed at 14");
    CHECK(pending_for(play, 1)[WaitCause::borrowing] == 8s);
  } else {
    CHECK(play.job(0) == "leg 0 pool 0: 0 to 2 preempted, lost 2 | leg 0 pool 0: 6 to 16 | completed at 16");
    CHECK(play.job(1) == "leg 0 pool 0: 2 to 6 | completed at 6");
  }
  CHECK(play.record().kueue_queues.at("a").borrowed == GpuTime{});  // of GPUs
}

TEST_CASE("A job is admitted with as many pods as there are CPUs for", "[rules]") {
  WorldBuilder make = two_flavors(with_cpu("a", 16, 30), with_cpu("b", 0, 0));
  ask_for_cpus(make.world, 10);
  make.job({.at = 0s, .work = 10s, .gpus = 5});
  World world = make.build();
  for (Shape& shape : world.shapes)
    shape.nodes = static_cast<std::int32_t>(std::exchange(shape.gpus_per_node, 1));
  world.kueue->partial = {{.min_count = 1}};
  add_reduced_shapes(world);
  const Played play{world};
  CHECK(play.record().jobs.at(0).kueue.reduced == GpuCount{3});
}

// Flavor x has CPUs for 3 GPUs, and y for 5.
TEST_CASE("CPUs may have flavors of their own, of which a job gets one besides that of its GPUs", "[rules]") {
  WorldBuilder make = two_flavors(gpu_quota("a", 4), gpu_quota("b", 16));
  add_cpu_group(make.world, "team", {{"x", 30}, {"y", 50}});
  ask_for_cpus(make.world, 10);
  make.job({.at = 0s, .work = 10s, .gpus = 3});   // a and x
  make.job({.at = 1s, .work = 10s, .gpus = 4});   // b and y
  make.job({.at = 2s, .work = 10s, .gpus = 2});   // b has GPUs, and no flavor 20 CPUs
  make.job({.at = 3s, .work = 10s, .gpus = 1});   // a and y
  make.job({.at = 20s, .work = 10s, .gpus = 6});  // more than any flavor of CPUs has
  make.world.end = RunEnd::time;
  make.world.window_end = kStart + 50s;
  const Played play{make};
  CHECK(play.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 1 pool 0: 1 to 11 | completed at 11");
  CHECK(play.job(2) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(play.job(3) == "leg 0 pool 0: 3 to 13 | completed at 13");
  CHECK(play.job(4) == "unfinished at 50");
  CHECK(pending_for(play, 2)[WaitCause::quota] == 8s);
  CHECK(pending_for(play, 4)[WaitCause::quota] == 30s);
  CHECK(play.record().kueue_queues.at("team").held == GpuCount{3 + 4 + 2 + 1} * 10s);
}

TEST_CASE("Where a queue has a quota of pods, each pod counts as one", "[rules]") {
  WorldBuilder make = two_flavors(gpu_quota("a", 100), gpu_quota("b", 0));
  auto& group = make.world.kueue->objects.cluster_queues.at("team").groups.front();
  for (kueue::FlavorQuotas& flavor : group.flavors) flavor.quotas["pods"] = {.nominal = kueue::Amount{3}};
  make.job({.at = 0s, .work = 10s, .gpus = 4});  // a pod of 4 GPUs
  make.job({.at = 1s, .work = 10s, .gpus = 8});
  make.job({.at = 2s, .work = 10s, .gpus = 8});
  make.job({.at = 3s, .work = 10s, .gpus = 1});
  const Played play{make};
  CHECK(play.job(2) == "leg 0 pool 0: 2 to 12 | completed at 12");
  CHECK(play.job(3) == "leg 0 pool 0: 10 to 20 | completed at 20");
  CHECK(pending_for(play, 3)[WaitCause::quota] == 7s);
}
