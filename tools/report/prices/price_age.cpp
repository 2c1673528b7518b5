#include "tools/report/prices/price_age.h"

#include <cstdint>

#include "sim/core/counted.h"

namespace stockout {

std::optional<Date> later_day(const std::string& one, const std::string& other) {
  const auto first = parse_date(one);
  const auto second = parse_date(other);
  if (!first || !second) return first ? first : second;
  return *first < *second ? second : first;
}

std::optional<int> price_age(const std::optional<Date>& on, const std::string& as_of) {
  const auto from = parse_date(as_of);
  if (!on || !from) return std::nullopt;
  return static_cast<int>((*on - *from).count());
}

std::string age_text(int days) {
  if (days < 0) return counted(static_cast<std::uint64_t>(-days), "day") + " ahead";
  return counted(static_cast<std::uint64_t>(days), "day") + " old";
}

}  // namespace stockout
