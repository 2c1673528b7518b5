#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/consumption/strategy.h"
#include "models/supply/lease_class.h"
#include "sim/core/ids.h"
#include "sim/core/time.h"

namespace stockout {

/// From `at` on, so many units may be taken.
struct QuotaStep {
  SimTime at{};
  std::int64_t limit = 0;
};

/// A limit of the provider on what a planner's machines come to: GPUs of a type, or vCPUs of a family.
struct QuotaBucket {
  std::string name;  // for people
  std::array<std::vector<bool>, kLeaseClasses>
      pools{};  // by LeaseClass of a lease, then PoolId of zone pools: where machines count ...
  std::vector<std::int64_t> units;  // ... and for how much, by MachineId; 0: not at all
  std::vector<QuotaStep> steps;     // sorted; the first at or before the begin of the run

  [[nodiscard]] bool counts(PoolId pool, LeaseClass lease_class) const {
    const std::vector<bool>& counted = pools[static_cast<std::size_t>(lease_class)];
    return index(pool) < counted.size() && counted[index(pool)];
  }
};

/// Units of quota for so many machines of the place, the full nodes first, in leases of the class.
[[nodiscard]] std::int64_t units_of(const QuotaBucket& bucket, const Candidate& place, LeaseClass lease_class,
                                    std::int64_t machines);

}  // namespace stockout
