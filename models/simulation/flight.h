#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/billing/usage.h"
#include "models/execution/work.h"
#include "models/simulation/pool_state.h"
#include "models/simulation/run_state.h"
#include "models/workload/jobs.h"
#include "models/world/world.h"

namespace stockout {

/// Plain jobs of one strategy, class and shape: all that is known of them before they come.
struct FlightPlan {
  const Strategy* strategy = nullptr;
  const Leg* leg = nullptr;
  const Candidate* candidate = nullptr;
  GpuCount gpus{};  // of the candidate, as are those below
  GpuCount unused{};
  MachineCount machines{};
  Rate rate = kReferenceRate;
  PoolId pool_id{};
  PoolState* pool = nullptr;
  SourceState* source = nullptr;  // of the leg's class of leases; nullptr: no limit
  LeaseClass lease_class{};
  std::uint8_t leg_number = 0;
  bool is_tenant = false;
  std::uint32_t strategy_number = 0;
  ClassId job_class{};
  ShapeId shape{};
  Checkpoints checkpoints;
  SimDuration provisioning{};               // from the grant to machines up
  SimDuration start{};                      // from the grant to the begin of work
  SimDuration run_max = kForever;           // from machines up
  std::vector<UsageLedger::Series> series;  // by UserId, those that were asked for

  /// How long a lease with so much work left takes; 0 if it would be cut off, or ends as it begins.
  [[nodiscard]] SimDuration length(SimDuration work) const {
    const SimDuration run = run_time(time_at(rate, work), checkpoints);
    return run > run_max - (start - provisioning) ? SimDuration::zero() : start + run;
  }
};

/// A plain job under way, with its request or its lease: one record.
struct Flight {
  FlightPlan* plan = nullptr;  // nullptr: nobody is here
  bool is_running = false;     // else it waits
  SourceId source{};
  UserId user{};
  std::uint64_t row = 0;
  std::uint64_t record = kNotRecorded;
  SimDuration work{};
  SimDuration estimate{};
  SimDuration length{};  // of its lease, before its end is moved to the grid
  SimTime released{};
  SimTime granted{};
  SimTime ends{};
  WaitingKey key{};
  UsageLedger::Series series{};
};
static_assert(sizeof(Flight) <= 128);  // two cache lines

}  // namespace stockout
