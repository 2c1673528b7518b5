#pragma once

#include <array>
#include <cstdint>

#include "models/simulation/ground/area.h"
#include "models/supply/lease_class.h"
#include "sim/core/quantity.h"

namespace stockout {

/// Counts of a pool from the begin of the run on: its own integrals, and what leases and requests add up at
/// their end. Both sides are compared when the run ends.
struct PoolCounts {
  std::array<Area, kLeaseClasses> leased_area;
  std::array<Area, kLeaseClasses> tenant_area;
  Area waiting_area;
  GpuCount waiting_gpus{};           // of all waiting requests
  std::int64_t lease_gpu_ms = 0;     // added up by leases
  std::int64_t waited_ms = 0;        // added up by requests that leave the queue
  std::uint64_t requests_ended = 0;  // granted, refused or withdrawn
};

}  // namespace stockout
