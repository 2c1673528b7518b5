#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/report/comparison/report.h"

namespace stockout {

/// A part of what a strategy costs: what was bought, and whether jobs used it.
struct MoneyPart {
  enum class Use { used, idle, neither };
  std::string bought;  // "Spot", "1-year commitment", "Other costs"
  Use use = Use::used;
  double usd = 0;  // mean; what is taken off is below 0
};

/// Where every dollar of a strategy went. The parts add up to its cost, as the tables have it. Held capacity
/// that is paid only to the last start (hold_end) is neither used nor idle. What control variates change of
/// the mean is a part by itself.
[[nodiscard]] std::vector<MoneyPart> money_parts(const Report& report, std::size_t strategy);

/// "Spot", "1-year commitment, idle"
[[nodiscard]] std::string part_name(const MoneyPart& part);

}  // namespace stockout
