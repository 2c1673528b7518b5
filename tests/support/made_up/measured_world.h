#pragma once

#include <memory>
#include <vector>

#include "models/record/run_record.h"
#include "models/world/world.h"

namespace stockout::test {

// A world of two GPU types and round prices, and records written by hand: what measures are tested on.
//   pools: 0 "zone A" (GPU "A", one a machine), 1 "zone B" (GPU "B", four a machine), 2 "held A" (two
//   machines of A) price lines: 0 A on demand, $3.60; 1 B Spot, $7.20 a machine; 2 held A, 1-year, $1.80; 3
//   the same, sublet shapes: 0 one A; 1 one machine of B; 2 one GPU of either classes: 0 "train", 1 "tune";
//   users: 0 "ann", 1 "bob"
inline constexpr PriceLineId kOnDemandA{0};
inline constexpr PriceLineId kSpotB{1};
inline constexpr PriceLineId kHeldA{2};
inline constexpr PriceLineId kSubletA{3};
inline constexpr ShapeId kOneA{0};
inline constexpr ShapeId kFourB{1};
inline constexpr ClassId kTrain{0};
inline constexpr ClassId kTune{1};
inline constexpr UserId kAnn{0};
inline constexpr UserId kBob{1};

inline MachineHourPrice dollars(double usd) {
  return MachineHourPrice{static_cast<std::int64_t>(usd * 1e9 + 0.5)};
}

inline PriceLine price_line(MachineId machine, PoolId pool, PriceModel model, Charge charge, double usd) {
  PriceLine line;
  line.machine = machine;
  line.pool = pool;
  line.model = model;
  line.charge = charge;
  line.steps.push_back(
      {.from = kStart - std::chrono::hours{24}, .list = dollars(usd), .contracted = dollars(usd)});
  line.as_of = "2026-07-30";
  return line;
}

inline MachineType machine(const char* name, GpuTypeId gpu, std::int64_t gpus) {
  MachineType type;
  type.name = name;
  type.family = name;
  type.gpu = gpu;
  type.gpus = type.host_gpus = GpuCount{gpus};
  return type;
}

inline Shape shape(const char* gpu, std::int32_t gpus) {
  Shape result;
  result.gpu = gpu;
  result.gpus_per_node = gpus;
  return result;
}

/// One machine: of the type that the pool's number says, as below.
inline Candidate candidate(PoolId pool, PriceLineId line, std::int32_t gpus) {
  Candidate result;
  result.pool = pool;
  result.gpus = GpuCount{gpus};
  result.parts[0] = {
      .line = line, .machines = 1, .gpus = gpus, .machine = static_cast<MachineId>(index(pool))};
  return result;
}

inline Pool zone(const char* name, const char* family) {
  Pool pool;
  pool.name = name;
  pool.family = family;
  CapacitySource source;
  source.classes.fill(true);
  source.steps.push_back({.at = kStart, .gpus = GpuCount{8}});
  pool.capacity.push_back(std::move(source));
  return pool;
}

/// The world with these jobs, as a trace of one source.
inline World measured_world(JobColumns jobs) {
  World world;
  world.window_end = kStart + std::chrono::hours{24};
  world.gpu_types = {"A", "B"};
  world.machines = {machine("a1", GpuTypeId{0}, 1), machine("b4", GpuTypeId{1}, 4)};
  world.shapes = {shape("A", 1), shape("B", 4), shape("", 1)};
  world.classes.resize(2);
  world.classes[0].name = "train";
  world.classes[1].name = "tune";
  world.users = {"ann", "bob"};
  world.pools = {zone("zone A", "a1"), zone("zone B", "b4")};
  world.price_lines = {price_line(MachineId{0}, PoolId{0}, PriceModel::on_demand, Charge::direct, 3.6),
                       price_line(MachineId{1}, PoolId{1}, PriceModel::spot, Charge::direct, 7.2),
                       price_line(MachineId{0}, PoolId{2}, PriceModel::cud_1y, Charge::held, 1.8),
                       price_line(MachineId{0}, PoolId{2}, PriceModel::cud_1y, Charge::sublet, 1.8)};
  HeldPool held;
  held.pool.name = "held A";
  held.machine = MachineId{0};
  held.machines = MachineCount{2};
  held.gpus = GpuCount{2};
  held.line = kHeldA;
  held.sublet = kSubletA;
  world.held = {held};

  Leg leg;
  leg.label = "everything";
  leg.candidates = {{candidate(PoolId{0}, kOnDemandA, 1)},
                    {candidate(PoolId{1}, kSpotB, 4)},
                    {candidate(PoolId{0}, kOnDemandA, 1), candidate(PoolId{1}, kSpotB, 4)}};
  Strategy strategy;
  strategy.name = "by hand";
  strategy.legs = {leg};
  strategy.held = {PoolId{2}};
  world.strategies = {strategy};

  Source source;
  source.name = "jobs";
  source.demand = TraceDemand{
      .jobs = std::make_shared<const JobColumns>(std::move(jobs)), .resampled = false, .resample = {}};
  world.sources.push_back(std::move(source));
  return world;
}

inline SimTime at(SimDuration since) { return kStart + since; }

inline JobOutcome completed(SimDuration released, SimDuration granted, SimDuration finished) {
  JobOutcome outcome;
  outcome.state = FinalState::completed;
  outcome.released = at(released);
  outcome.first_grant = at(granted);
  outcome.finished = at(finished);
  outcome.leased = finished - granted;
  return outcome;
}

inline JobOutcome never_started(FinalState state, SimDuration released, SimDuration finished) {
  JobOutcome outcome;
  outcome.state = state;
  outcome.released = at(released);
  outcome.finished = at(finished);
  return outcome;
}

/// One job more: submitted so many hours after the start.
inline void add_job(JobColumns& jobs, int submit_h, int work_h, ShapeId shape, ClassId job_class, UserId user,
                    SimDuration deadline = kForever) {
  jobs.submit.push_back(kStart + std::chrono::hours{submit_h});
  jobs.work.push_back(std::chrono::hours{work_h});
  jobs.shape.push_back(shape);
  jobs.job_class.push_back(job_class);
  jobs.user.push_back(user);
  jobs.deadline.push_back(deadline);
}

/// A record with room for usage of `world`, and no jobs.
inline RunRecord empty_record(const World& world) {
  RunRecord record;
  record.usage = UsageLedger{world.price_lines.size(), world.users.size(), world.classes.size()};
  record.phantom = UsageLedger{world.price_lines.size(), world.users.size(), world.classes.size()};
  record.pools.resize(world.pool_count());
  record.held_since.resize(world.held.size(), kStart);
  record.end = record.hold_end = world.window_end;
  return record;
}

inline void add_outcome(RunRecord& record, const JobOutcome& outcome) {
  record.jobs.set(record.jobs.add(), outcome);
}

}  // namespace stockout::test
