#pragma once

#include <cstdint>
#include <functional>

#include "models/record/run_record.h"
#include "models/world/world.h"

namespace stockout {

/// One lease, as the optional log tells it.
struct LeaseRow {
  std::uint64_t job = 0;      // number in the run record
  std::uint32_t attempt = 1;  // counts from 1
  std::uint8_t leg = 0;
  PoolId pool{};
  GpuCount gpus{};
  SimTime granted{};
  SimTime running{};  // when work began; equal to `ended` if it never did
  SimTime ended{};
  SimDuration lost{};
  bool preempted = false;
};

/// How long a tenant stayed at a pool: from its submission to the end of its lease, or to the end of the run
/// if it was waiting still.
struct TenantStay {
  PoolId pool{};
  GpuCount gpus{};
  SimTime from{};
  SimTime until{};
};

/// What a caller may ask of a run beyond its record.
struct Logs {
  std::function<void(const LeaseRow&)> on_lease;  // when a recorded job's lease ends, in order of ends
  std::function<void(const TenantStay&)> on_tenant = nullptr;  // when a tenant's stay ends
};

/// Runs `world` under its strategy number `strategy` and returns what happened. A pure function: the same
/// arguments give the same bits, on any thread. Single-threaded, reads no file or clock.
/// Throws InvariantError if the books do not balance.
[[nodiscard]] RunRecord simulate(const World& world, std::size_t strategy, std::uint64_t replication,
                                 const Logs& logs = {});

}  // namespace stockout
