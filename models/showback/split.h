#pragma once

#include <span>
#include <vector>

#include "models/billing/money.h"
#include "sim/core/quantity.h"

namespace stockout {

/// A time in parts that are in proportion to weights, in whole machine-milliseconds that add up to it: by
/// largest remainder, the first of equal ones. `total` and weights are at least 0; with a total above 0 the
/// weights add up to more than 0. No part is more than its weight where `total` is no more than their sum.
[[nodiscard]] std::vector<MachineTime> split(MachineTime total, std::span<const MachineTime> weights);

/// Amounts in whole nano-dollars that add up to their sum, which is rounded to nearest: by
/// largest remainder, the first of equal ones.
[[nodiscard]] std::vector<Money> in_nano_dollars(std::span<const Money> amounts);

/// The same, that add up to `sum`, which is less than a nano-dollar an amount from their own.
[[nodiscard]] std::vector<Money> in_nano_dollars(std::span<const Money> amounts, Money sum);

}  // namespace stockout
