#pragma once

#include <string>
#include <string_view>

#include "models/catalog/types.h"

namespace stockout {

/// What a planner calls a price model: "Flex Start", "1-year commitment".
[[nodiscard]] std::string_view price_words(PriceModel model);

/// The same of its name in files; any other name as it is.
[[nodiscard]] std::string price_words(const std::string& name);

}  // namespace stockout
