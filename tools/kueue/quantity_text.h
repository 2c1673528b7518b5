#pragma once

#include <optional>
#include <string_view>

#include "models/orchestrators/kueue/amount.h"

namespace stockout::kueue {

/// A Kubernetes quantity ("4", "500m", "16Gi", "1e3") in thousandths for "cpu", else in whole units, rounded
/// up. Nothing if it is none; unlimited if it is too large.
[[nodiscard]] std::optional<Amount> parse_quantity(std::string_view text, bool in_thousandths);

}  // namespace stockout::kueue
