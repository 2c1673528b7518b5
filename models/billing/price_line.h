#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/catalog/types.h"
#include "sim/core/ids.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// Meaning of a price line's usage for the bill.
enum class Charge : std::uint8_t {
  direct,  // a job's own machines: paid
  held,    // capacity held whether used or not: paid
  sublet,  // a job's use of held capacity: already paid by the `held` line, shown for attribution only
};

/// Price of one machine from `from` on.
struct PriceStep {
  SimTime from{};
  MachineHourPrice list{};        // the catalogue's price
  MachineHourPrice contracted{};  // after the scenario's overlay; equal to list where there is none
  friend bool operator==(const PriceStep&, const PriceStep&) = default;
};

/// One price: a machine type in a pool's place under a price model.
struct PriceLine {
  MachineId machine{};
  PoolId pool{};
  PriceModel model = PriceModel::on_demand;
  Charge charge = Charge::direct;
  std::vector<PriceStep> steps;  // sorted; the first at or before the start of the run
  // Of what is paid at the start of the run: the price row, or the planner's own price in its place.
  std::string as_of;       // "2026-07-30", of the row or as the planner says; empty: not known
  std::string confidence;  // of the row, as PriceRow has it; "own": a price that the planner names
  std::string source;      // of the row, and the labels of the overlays
  std::string region;      // whose price it is
  bool overlaid = false;   // the planner's own price, at some time at least
  std::optional<PriceLineId> fee =
      {};  // the management fee that is paid on top for what is used of this line
};

/// How a lease's time is rounded for the bill: up to `step`, and at least `least`. And what Vertex AI takes
/// for a machine-hour, however it is bought, in millionths of the machine's on-demand price.
struct BillingRule {
  SimDuration step = std::chrono::seconds{1};
  SimDuration least = std::chrono::minutes{1};
  std::int64_t fee_ppm = 150'000;  // one bill of 2025-08 has it at 15 % for on-demand and Flex Start

  /// At least `used`; zero stays zero.
  [[nodiscard]] constexpr SimDuration billed(SimDuration used) const {
    if (used <= SimDuration::zero()) return SimDuration::zero();
    constexpr SimDuration kSecond{1'000};  // by far the most used step, and no division
    const auto up = step == kSecond ? rounded_up(used, kSecond) : rounded_up(used, step);
    return up < least ? least : up;
  }

 private:
  static constexpr SimDuration rounded_up(SimDuration used, SimDuration step) {
    return step > SimDuration{1} ? (used + step - SimDuration{1}) / step * step : used;
  }
};

}  // namespace stockout
