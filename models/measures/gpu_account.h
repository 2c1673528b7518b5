#pragma once

#include <vector>

#include "models/billing/usage.h"
#include "models/measures/measure_table.h"
#include "sim/core/quantity.h"

namespace stockout {

/// Where the GPU-time of one GPU type went.
struct GpuAccount {
  TimeSplit jobs;             // leases of jobs; `idle` is not used here
  GpuTime useful{};           // work kept on leases of jobs that were completed
  GpuTime held{};             // held capacity while paid for
  GpuTime idle{};             // of it, what no job leased
  GpuTime phantom_waiting{};  // requests that lost a race
  GpuTime phantom_leased{};   // leases that did
};

/// The accounts of several GPU types. An hour of an L4 is not an hour of an H100, so that they are never
/// added: a measure is absent if several types have anything to do with it, and 0 if none has.
class GpuAccounts {
 public:
  explicit GpuAccounts(std::size_t types) : types_(types) {}

  [[nodiscard]] GpuAccount& of(std::size_t type) { return types_[type]; }

  /// Fills in what jobs leased, what became of it, and the ratios that need no held capacity.
  void fill_leased(Values& values) const;

  /// Fills in what was held, and how much of it was used.
  void fill_held(Values& values) const;

  /// Fills in phantom demand.
  void fill_phantom(Values& values) const;

 private:
  std::vector<GpuAccount> types_;
};

}  // namespace stockout
