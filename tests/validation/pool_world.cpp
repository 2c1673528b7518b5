#include "tests/validation/pool_world.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <catch2/catch.hpp>

namespace stockout::test {

World generic_world() {
  World world;
  world.name = "validation";
  world.window_end = kStart + kLongestRun / 2;
  world.drain_limit = kLongestRun / 2;
  world.utc_offsets = {{.at = kStart, .offset = {}}};
  world.billing = {.step = SimDuration{1}, .least = {}};
  MachineType machine;
  machine.name = machine.family = "generic";
  machine.gpus = machine.host_gpus = GpuCount{1};
  machine.accepts.fill(true);
  world.machines = {machine};
  world.gpu_types = {"generic"};
  world.classes = {{.name = "all"}};
  world.users = {"user"};
  return world;
}

PoolId add_zone_pool(World& world, std::optional<std::int64_t> gpus, LeaseClass lease_class,
                     Discipline discipline) {
  Pool pool{.name = "zone", .family = "generic", .place = "zone", .capacity = {}, .discipline = discipline};
  if (gpus) {
    CapacitySource source;
    source.classes[static_cast<std::size_t>(lease_class)] = true;
    source.steps = {{.at = kStart, .gpus = GpuCount{*gpus}}};
    pool.capacity = {source};
  }
  world.pools.push_back(std::move(pool));
  return PoolId{static_cast<std::uint16_t>(world.pools.size() - 1)};
}

PoolId add_held_pool(World& world, PoolId landlord, std::int64_t gpus, Discipline discipline) {
  HeldPool held;
  held.pool = {
      .name = "held", .family = "generic", .place = "zone", .capacity = {}, .discipline = discipline};
  held.landlord = landlord;
  held.added_supply = true;
  held.from = world.begin;
  held.machines = MachineCount{gpus};
  held.gpus = GpuCount{gpus};
  world.held.push_back(std::move(held));
  return PoolId{static_cast<std::uint16_t>(world.pool_count() - 1)};
}

PriceLineId add_price(World& world, PoolId pool, Charge charge, MachineHourPrice price) {
  PriceLine line;
  line.pool = pool;
  line.charge = charge;
  line.steps = {{.from = kStart, .list = price, .contracted = price}};
  world.price_lines.push_back(std::move(line));
  return PriceLineId{static_cast<std::uint32_t>(world.price_lines.size() - 1)};
}

ShapeId gang(World& world, std::int32_t gpus) {
  const Shape shape{.gpu = {}, .machine = {}, .nodes = gpus};
  const auto known = std::ranges::find(world.shapes, shape);
  const auto number = static_cast<std::uint32_t>(known - world.shapes.begin());
  if (known == world.shapes.end()) world.shapes.push_back(shape);
  return ShapeId{number};
}

Policy loss_policy() {
  return {.name = "loss", .admission = Admission::at_once, .lease_class = LeaseClass::on_demand};
}

Policy queue_policy() {
  return {.name = "queue", .admission = Admission::queue, .lease_class = LeaseClass::flex};
}

Leg one_pool_leg(const World& world, const Policy& policy, PoolId pool, PriceLineId line) {
  Leg leg;
  leg.policy = policy;
  leg.label = policy.name;
  for (const Shape& shape : world.shapes) {
    Candidate candidate{.pool = pool, .gpus = shape.gpus()};
    candidate.parts[0] = {.line = line, .machines = shape.nodes, .gpus = shape.gpus_per_node, .machine = {}};
    leg.candidates.push_back({candidate});
  }
  return leg;
}

Strategy make_strategy(std::string name, std::vector<Leg> legs) {
  Strategy strategy;
  strategy.name = std::move(name);
  strategy.legs = std::move(legs);
  return strategy;
}

Source make_source(std::string name, Demand demand) {
  Source source;
  source.name = std::move(name);
  source.demand = std::move(demand);
  return source;
}

JobColumns jobs_of(World& world, const Trace& trace, std::int32_t most_gpus) {
  JobColumns jobs;
  jobs.row = trace.row;
  jobs.work = trace.work;
  jobs.job_class.assign(trace.size(), ClassId{0});
  jobs.user.assign(trace.size(), UserId{0});
  for (std::size_t i = 0; i < trace.size(); ++i) {
    jobs.submit.push_back(kStart + SimDuration{trace.submit_ms[i] - trace.submit_ms[0]});
    jobs.shape.push_back(gang(world, std::min(trace.gpus[i], most_gpus)));
  }
  return jobs;
}

void add_jobs(World& world, JobColumns jobs) {
  world.sources = {make_source("jobs", TraceDemand{std::make_shared<const JobColumns>(std::move(jobs))})};
}

World replay_world(const Trace& trace, std::int32_t gpus, Discipline discipline) {
  World world = generic_world();
  const PoolId pool = add_zone_pool(world, gpus, LeaseClass::flex, discipline);
  const PriceLineId line = add_price(world, pool, Charge::direct, {});
  add_jobs(world, jobs_of(world, trace, gpus));
  world.strategies = {make_strategy("queue", {one_pool_leg(world, queue_policy(), pool, line)})};
  return world;
}

Waits waits_of(const RunRecord& record) {
  std::vector<std::int64_t> waits_ms;
  std::int64_t sum_ms = 0;
  for (std::uint64_t job = 0; job < record.jobs.size(); ++job) {
    const JobOutcome outcome = record.jobs.at(job);
    if (outcome.state != FinalState::completed) FAIL("job " << job << " was not completed");
    waits_ms.push_back((outcome.first_grant - outcome.released).count());
    sum_ms += waits_ms.back();
  }
  REQUIRE(!waits_ms.empty());
  std::ranges::sort(waits_ms);
  const auto seconds = [](std::int64_t ms) { return static_cast<double>(ms) / 1000; };
  const std::size_t jobs = waits_ms.size();
  return {.jobs = jobs,
          .mean_s = seconds(sum_ms) / static_cast<double>(jobs),
          .p90_s = seconds(waits_ms[jobs * 9 / 10]),
          .max_s = seconds(waits_ms.back())};
}

}  // namespace stockout::test
