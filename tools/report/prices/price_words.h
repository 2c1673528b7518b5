#pragma once

#include <string>
#include <string_view>

#include "models/catalog/types.h"

namespace stockout {

/// Planner's word for a price model: "Flex Start", "1-year commitment".
[[nodiscard]] std::string_view price_words(PriceModel model);

/// The word for a price model on a line of a bill. Whoever reads billing exports knows the price model by
/// such words.
[[nodiscard]] std::string_view bill_words(PriceModel model);

/// The first of its name in files; any other name as it is.
[[nodiscard]] std::string price_words(const std::string& name);

}  // namespace stockout
