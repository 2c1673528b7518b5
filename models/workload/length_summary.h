#pragma once

#include <vector>

#include "sim/core/time.h"

namespace stockout {

/// Six numbers and a mean of lengths of time. A quantile is a length that occurred: the shortest that this
/// share of the jobs does not exceed.
struct LengthSummary {
  double mean_ms = 0;
  SimDuration p10{};
  SimDuration p50{};
  SimDuration p90{};
  SimDuration p95{};
  SimDuration p99{};
  SimDuration most{};
};

[[nodiscard]] LengthSummary summarize_lengths(std::vector<SimDuration> lengths);

}  // namespace stockout
