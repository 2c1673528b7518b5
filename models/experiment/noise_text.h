#pragma once

#include <optional>
#include <string>

#include "sim/stats/interval.h"

namespace stockout {

/// "$44,654 ± 1,643"; without noise, or where it is not known, the dollars alone.
[[nodiscard]] std::string dollars_with_noise(double usd, const std::optional<double>& half_width);

/// "97.6 % ± 2.0"; "none" without a share.
[[nodiscard]] std::string share_with_noise(const std::optional<Estimate>& share);

}  // namespace stockout
