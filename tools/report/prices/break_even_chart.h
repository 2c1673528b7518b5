#pragma once

#include <string>
#include <vector>

#include "models/repricing/break_even.h"
#include "tools/page/page.h"

namespace stockout {

/// Which strategy is the cheapest as one price moves, a bar a price. `strategies` have their colours in this
/// order; there is a price.
[[nodiscard]] Chart break_even_chart(const BreakEvens& found, const Comparison& comparison,
                                     const std::vector<std::string>& strategies);

}  // namespace stockout
