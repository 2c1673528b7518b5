#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/repricing/break_even.h"

namespace stockout {

/// A price at which another strategy is the cheapest.
struct PriceFlip {
  double change = 0;  // |ln(then / now)|; half is as far as double
  std::string sentence;
};

/// The cheapest strategy at the price of now; none if the model says nothing of it.
[[nodiscard]] const WinningRange* range_now(const BreakEven& model);

/// The nearest price above and below that of now at which a strategy is the cheapest that is no answer, or
/// from which on none keeps to the budget; range_now() is there.
[[nodiscard]] std::vector<PriceFlip> price_flips(const BreakEven& model, const Comparison& comparison,
                                                 const std::function<bool(std::size_t strategy)>& is_answer);

/// The price down from which a strategy keeps to the budget, where none does at that of now.
[[nodiscard]] std::optional<PriceFlip> flip_into_budget(const BreakEven& model, const Comparison& comparison);

}  // namespace stockout
