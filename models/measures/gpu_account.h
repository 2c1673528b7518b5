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
/// added: a measure is there only if one type alone has anything to do with it.
class GpuAccounts {
 public:
  explicit GpuAccounts(std::size_t types) : types_(types) {}

  [[nodiscard]] GpuAccount& of(std::size_t type) { return types_[type]; }

  /// The one type with any useful work, lease or held capacity, nullptr if there are none or several.
  [[nodiscard]] const GpuAccount* only() const;

  /// Fills in the measures in GPU-hours and the ratios, phantom demand apart.
  void fill(Values& values) const;

  /// Fills in phantom demand: absent if several types have any, 0 if none has.
  void fill_phantom(Values& values) const;

 private:
  std::vector<GpuAccount> types_;
};

}  // namespace stockout
