#pragma once

#include <span>
#include <vector>

#include "models/showback/charge_row.h"

namespace stockout {

/// The four costs of charges in whole nano-dollars, by row. Effective and billed costs add up to what the run
/// costs, and so do list and contracted costs of all rows but commitments' fees, each rounded once; what a
/// commitment's use and idle time carry is to the nano-dollar what its fees are.
struct FocusCosts {
  std::vector<Money> list;
  std::vector<Money> contracted;
  std::vector<Money> effective;
  std::vector<Money> billed;
};

[[nodiscard]] FocusCosts focus_costs(const World& world, std::span<const ChargeRow> rows);

}  // namespace stockout
