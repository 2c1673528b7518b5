#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/billing/usage.h"
#include "models/execution/work.h"
#include "models/simulation/books/pool_state.h"
#include "models/simulation/ground/run_state.h"
#include "models/workload/jobs.h"
#include "models/world/world.h"

namespace stockout {

/// A leg in one pool for one shape: all that a grant there needs.
struct GrantPlan {
  const Leg* leg = nullptr;
  const Candidate* candidate = nullptr;
  PoolState* pool = nullptr;
  SourceState* source = nullptr;  // of the leg's class of leases; nullptr: no limit
  PoolId pool_id{};
  LeaseClass lease_class{};
  std::uint8_t leg_number = 0;
  Rate rate = kReferenceRate;
  GpuCount gpus{};  // all of them, and those of them that the job did not ask for
  GpuCount unused{};
  MachineCount machines{};
};

/// Plain jobs of one strategy, class and shape: all that is known of them before they come.
struct FlightPlan {
  bool is_plain = false;  // else there are none, and nothing of this is known
  bool is_tenant = false;
  ClassId job_class{};
  ShapeId shape{};
  std::uint32_t strategy_number = 0;
  GrantPlan grant;
  Checkpoints checkpoints;
  SimDuration provisioning{};               // from the grant to machines up
  SimDuration start{};                      // from the grant to the begin of work
  SimDuration run_max = kForever;           // from machines up
  std::vector<UsageLedger::Series> series;  // by UserId, those that were asked for

  /// How long a lease with so much work left takes; 0 if it would be cut off, or ends as it begins.
  [[nodiscard]] SimDuration length(SimDuration work) const {
    const SimDuration run = run_time(time_at(grant.rate, work), checkpoints);
    return run > run_max - (start - provisioning) ? SimDuration::zero() : start + run;
  }
};

/// A plain job under way, with its request or its lease: what every step of it reads.
struct alignas(64) Flight {
  FlightPlan* plan = nullptr;  // nullptr: nobody is here
  std::uint64_t row = 0;
  std::uint64_t record = kNotRecorded;
  SimDuration work{};
  SimDuration length{};  // of its lease, before its end is moved to the grid
  SimTime released{};
  SimTime granted = kNever;  // while it waits
  UserId user{};
  UsageLedger::Series series{};

  [[nodiscard]] bool is_running() const { return granted != kNever; }
};
static_assert(sizeof(Flight) == 64);  // a cache line

/// Further data of a flight: for the queue, and for the rooms if it cannot be plain any more.
struct FlightRequest {
  SimDuration estimate{};
  WaitingKey key{};
  SourceId source{};
};

}  // namespace stockout
