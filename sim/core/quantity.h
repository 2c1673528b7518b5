#pragma once

#include <compare>
#include <cstdint>

#include "sim/core/check.h"
#include "sim/core/time.h"

namespace stockout {

/// A whole number of some one thing. Adds to and compares with its own kind only, scales by plain integers,
/// and never turns silently into another quantity or a bare number.
template <typename Tag>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(std::int64_t count) : count_{count} {}

  [[nodiscard]] constexpr std::int64_t count() const { return count_; }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity{a.count_ + b.count_}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity{a.count_ - b.count_}; }
  friend constexpr Quantity operator*(Quantity a, std::int64_t k) { return Quantity{a.count_ * k}; }
  constexpr Quantity& operator+=(Quantity b) { return *this = *this + b; }
  constexpr Quantity& operator-=(Quantity b) { return *this = *this - b; }

 private:
  std::int64_t count_ = 0;
};

using GpuCount = Quantity<struct GpuTag>;             // GPUs
using MachineCount = Quantity<struct MachineTag>;     // machines (VMs)
using GpuTime = Quantity<struct GpuTimeTag>;          // GPU-milliseconds
using MachineTime = Quantity<struct MachineTimeTag>;  // machine-milliseconds
using MachineHourPrice = Quantity<struct PriceTag>;   // nano-dollars per machine-hour

/// The area under `gpus` held for `length`. Checked: an area beyond int64 is an InvariantError.
constexpr GpuTime operator*(GpuCount gpus, SimDuration length) {
  std::int64_t area = 0;
  STOCKOUT_CHECK(!__builtin_mul_overflow(gpus.count(), length.count(), &area));
  return GpuTime{area};
}

/// The area under `machines` held for `length`. Checked like the above.
constexpr MachineTime operator*(MachineCount machines, SimDuration length) {
  std::int64_t area = 0;
  STOCKOUT_CHECK(!__builtin_mul_overflow(machines.count(), length.count(), &area));
  return MachineTime{area};
}

}  // namespace stockout
