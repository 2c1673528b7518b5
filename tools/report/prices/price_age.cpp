#include "tools/report/prices/price_age.h"

namespace stockout {

std::optional<int> price_age(const std::optional<Date>& on, const std::string& as_of) {
  const auto from = parse_date(as_of);
  if (!on || !from) return std::nullopt;
  return static_cast<int>((*on - *from).count());
}

}  // namespace stockout
