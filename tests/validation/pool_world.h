#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/record/run_record.h"
#include "models/workload/trace.h"
#include "models/world/world.h"

namespace stockout::test {

/// A world without pools, jobs or strategies: generic machines of one GPU, one job class, one user, billing
/// to the millisecond. It begins at 0; its window is as long as a run may be, less the same again for the
/// drain.
[[nodiscard]] World generic_world();

/// Adds a zone pool of `gpus` for leases of `lease_class`; without a value, it is unlimited for every class.
PoolId add_zone_pool(World& world, std::optional<std::int64_t> gpus, LeaseClass lease_class,
                     Discipline discipline);

/// Adds a reservation of `gpus` that is there from the start and comes on top of its landlord's capacity.
PoolId add_held_pool(World& world, PoolId landlord, std::int64_t gpus, Discipline discipline);

/// Adds what one machine-hour costs in a pool.
PriceLineId add_price(World& world, PoolId pool, Charge charge, MachineHourPrice price);

/// The shape of a gang of `gpus` one-GPU machines, added unless the world has it.
ShapeId gang(World& world, std::int32_t gpus);

/// Nobody waits: granted in the instant, or refused for good.
[[nodiscard]] Policy loss_policy();

/// Waits for ever, runs as long as it needs.
[[nodiscard]] Policy queue_policy();

/// A leg in one pool for every shape the world has so far.
[[nodiscard]] Leg one_pool_leg(const World& world, const Policy& policy, PoolId pool, PriceLineId line);

[[nodiscard]] Strategy make_strategy(std::string name, std::vector<Leg> legs);
[[nodiscard]] Source make_source(std::string name, Demand demand);

/// The jobs of a trace from its first submission on, each a gang; requests beyond `most_gpus` are cut to it.
/// The estimate of every job is its work.
[[nodiscard]] JobColumns jobs_of(World& world, const Trace& trace, std::int32_t most_gpus);

/// Adds the jobs as the only source.
void add_jobs(World& world, JobColumns jobs);

/// One pool of `gpus`, one queue, the jobs of a trace cut to the pool: the world of a replay.
[[nodiscard]] World replay_world(const Trace& trace, std::int32_t gpus, Discipline discipline);

/// Waits from submission to grant, of a run in which every job was granted.
struct Waits {
  std::uint64_t jobs = 0;
  double mean_s = 0;
  double p90_s = 0;  // of the sorted waits, counted from 0, number floor(0.9 * jobs): as in figures.md F9
  double max_s = 0;
};

/// Fails the test if a job was never granted or not completed.
[[nodiscard]] Waits waits_of(const RunRecord& record);

}  // namespace stockout::test
