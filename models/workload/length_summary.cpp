#include "models/workload/length_summary.h"

#include <algorithm>
#include <cmath>

namespace stockout {

LengthSummary summarize_lengths(std::vector<SimDuration> lengths) {
  if (lengths.empty()) return {};
  std::sort(lengths.begin(), lengths.end());
  const auto quantile = [&](double share) {
    const double rank = std::ceil(share * static_cast<double>(lengths.size()));
    return lengths[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
  };
  double sum = 0;
  for (const SimDuration length : lengths) sum += static_cast<double>(length.count());
  return {.mean_ms = sum / static_cast<double>(lengths.size()),
          .p10 = quantile(0.1),
          .p50 = quantile(0.5),
          .p90 = quantile(0.9),
          .p95 = quantile(0.95),
          .p99 = quantile(0.99),
          .most = lengths.back()};
}

}  // namespace stockout
