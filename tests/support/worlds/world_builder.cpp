#include "tests/support/worlds/world_builder.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>

#include <fmt/format.h>

namespace stockout::test {
namespace {

PoolId pool_id(std::size_t pool) { return PoolId{static_cast<std::uint16_t>(pool)}; }

Policy row(const char* name, Admission admission, LeaseClass lease_class) {
  Policy policy;
  policy.name = name;
  policy.admission = admission;
  policy.lease_class = lease_class;
  return policy;
}

Strategy named_strategy(const char* name) {
  Strategy strategy;
  strategy.name = name;
  return strategy;
}

// Machines of `each` GPUs, and one of what is left.
void set_machines(Candidate& candidate, std::int64_t each, PriceLineId line) {
  const auto part_of = [line](std::int64_t machines, std::int64_t gpus) {
    return Part{.line = line,
                .machines = static_cast<std::int32_t>(machines),
                .gpus = static_cast<std::int32_t>(gpus),
                .machine = {}};
  };
  const std::int64_t gpus = candidate.gpus.count();
  const std::int64_t rest = gpus % each;
  std::size_t part = 0;
  if (gpus >= each) candidate.parts[part++] = part_of(gpus / each, each);
  if (rest > 0) candidate.parts[part] = part_of(1, rest);
}

Source named_source(const char* name, Demand demand) {
  Source source;
  source.name = name;
  source.demand = std::move(demand);
  return source;
}

}  // namespace

Policy on_demand() { return row("on_demand", Admission::at_once, LeaseClass::on_demand); }
Policy spot() { return row("spot", Admission::at_once, LeaseClass::spot); }
Policy flex() { return row("flex_start", Admission::queue, LeaseClass::flex); }

Policy reservation() {
  Policy policy = row("reservation", Admission::queue, LeaseClass::reserved);
  policy.held = true;
  return policy;
}

WorldBuilder::WorldBuilder() {
  using namespace std::chrono_literals;
  world.name = "hand-made";
  world.window_end = kStart + 1h;
  world.drain_limit = 1'000h;
  world.start_date = std::chrono::sys_days{std::chrono::year{2026} / 8 / 3};  // a Monday
  world.utc_offsets = {{.at = kStart - 10'000h, .offset = 0h}};
  MachineType machine;
  machine.name = "one";
  machine.family = "any";
  machine.gpus = GpuCount{1};
  machine.host_gpus = GpuCount{1};
  world.machines.push_back(machine);
  world.classes.push_back({.name = "class 0"});
  world.users.push_back("user 0");
  world.strategies.push_back(named_strategy("tested"));
}

PriceLineId WorldBuilder::price_line(PoolId pool, Charge charge) {
  PriceLine line;
  line.pool = pool;
  line.charge = charge;
  line.steps = {{.from = kStart - std::chrono::hours{10'000}}};
  world.price_lines.push_back(line);
  return PriceLineId{static_cast<std::uint32_t>(world.price_lines.size() - 1)};
}

PoolId WorldBuilder::pool(std::int64_t gpus, Discipline discipline) {
  const PoolId id = pool_id(world.pools.size());
  Pool pool;
  pool.name = fmt::format("zone {}", index(id));
  pool.discipline = discipline;
  CapacitySource source;
  source.classes.fill(true);
  source.steps = {{.at = kStart - std::chrono::hours{10'000}, .gpus = GpuCount{gpus}}};
  pool.capacity.push_back(source);
  world.pools.push_back(pool);
  lines_.push_back(price_line(id, Charge::direct));
  return id;
}

PoolId WorldBuilder::host_pool(std::int32_t hosts, std::int32_t host_gpus, Discipline discipline) {
  const PoolId id = pool(std::int64_t{hosts} * host_gpus, discipline);
  world.pools.back().placement = Placement{.hosts = hosts, .host_gpus = host_gpus, .block_hosts = hosts};
  return id;
}

void WorldBuilder::step(PoolId pool, SimDuration at, std::int64_t gpus) {
  world.pools[index(pool)].capacity[0].steps.push_back({.at = kStart + at, .gpus = GpuCount{gpus}});
}

PoolId WorldBuilder::held(PoolId landlord, std::int64_t gpus, SimDuration from, SimDuration retry_every) {
  const PoolId id = pool_id(world.pool_count());
  HeldPool held;
  held.pool.name = fmt::format("held {}", index(id));
  held.landlord = landlord;
  held.from = kStart + from;
  held.retry_every = retry_every;
  held.machines = MachineCount{gpus};
  held.gpus = GpuCount{gpus};
  held.line = price_line(id, Charge::held);
  held.sublet = price_line(id, Charge::sublet);
  world.held.push_back(held);
  lines_.push_back(held.sublet);
  world.strategies[0].held.push_back(id);
  return id;
}

void WorldBuilder::leg(LegSpec leg) { legs_.push_back(std::move(leg)); }

void WorldBuilder::tenant_leg(LegSpec leg) { tenant_legs_.push_back(std::move(leg)); }

void WorldBuilder::job(const JobSpec& job) {
  jobs_.push_back(job);
  job_shapes_.push_back(shape(job.gpus, job.unused));
}

void WorldBuilder::tenant(const JobSpec& job) {
  tenants_.push_back(job);
  tenant_shapes_.push_back(shape(job.gpus, job.unused));
}

void WorldBuilder::source(Demand demand) { demands_.push_back(std::move(demand)); }

ShapeId WorldBuilder::shape(std::int64_t gpus, std::int64_t unused) {
  const auto [known, is_new] =
      shapes_.try_emplace({gpus, unused}, ShapeId{static_cast<std::uint32_t>(world.shapes.size())});
  if (is_new) {
    world.shapes.emplace_back();
    world.shapes.back().gpus_per_node = static_cast<std::int32_t>(gpus);
  }
  return known->second;
}

Leg WorldBuilder::finish(const LegSpec& spec) const {
  Leg leg;
  leg.policy = spec.policy;
  leg.label = spec.policy.name;
  leg.limit = spec.limit;
  leg.keep = spec.keep;
  leg.classes = spec.classes;
  leg.compact = spec.compact;
  leg.partial = spec.partial;
  leg.node_group = spec.node_group;
  leg.pods = spec.pods;
  leg.race = spec.race;
  leg.spread = spec.spread;
  leg.flavor = spec.flavor;
  leg.partition = spec.partition;
  leg.candidates.resize(world.shapes.size());
  for (const auto& [gpus, shape] : shapes_) {
    for (const PoolId place : spec.places) {
      const std::int64_t leased = gpus.first + gpus.second;
      Candidate candidate{.pool = place, .gpus = GpuCount{leased}, .unused = GpuCount{gpus.second}};
      set_machines(candidate, spec.machine_gpus, lines_[index(place)]);
      candidate.rate_ppm = spec.rate_ppm;
      if (spec.partial) candidate.least = std::min(spec.least, candidate.parts[0].machines);
      leg.candidates[index(shape)].push_back(candidate);
    }
  }
  return leg;
}

Source WorldBuilder::trace(std::vector<JobSpec> jobs, std::vector<ShapeId> shapes) const {
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return jobs[a].at < jobs[b].at; });
  auto columns = std::make_shared<JobColumns>();
  for (const std::size_t i : order) {
    const JobSpec& job = jobs[i];
    columns->submit.push_back(kStart + job.at);
    columns->work.push_back(job.work);
    columns->shape.push_back(shapes[i]);
    columns->job_class.push_back(ClassId{static_cast<std::uint16_t>(job.job_class)});
    columns->user.push_back(UserId{job.user});
    columns->row.push_back(i);
    columns->estimate.push_back(job.estimate == kForever ? job.work : job.estimate);
    columns->max_wait.push_back(job.max_wait);
    columns->deadline.push_back(job.deadline);
    columns->group.push_back(job.group);
    for (JobLink link : job.links) {
      link.row = i;
      columns->links.push_back(link);
    }
  }
  std::ranges::stable_sort(columns->links, {}, &JobLink::row);
  return named_source("trace", TraceDemand{.jobs = columns});
}

World WorldBuilder::build() const {
  World built = world;
  for (const LegSpec& leg : legs_) built.strategies[0].legs.push_back(finish(leg));
  built.sources.push_back(trace(jobs_, job_shapes_));
  for (const Demand& demand : demands_) built.sources.push_back(named_source("demand", demand));
  if (!tenants_.empty()) {
    Source background = trace(tenants_, tenant_shapes_);
    background.background = true;
    background.tenants.push_back(named_strategy("tenant"));
    for (const LegSpec& leg : tenant_legs_) background.tenants[0].legs.push_back(finish(leg));
    background.tenant_weights = {1.0};
    built.sources.push_back(background);
  }
  return built;
}

}  // namespace stockout::test
