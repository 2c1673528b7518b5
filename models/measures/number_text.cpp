#include "models/measures/number_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/counted.h"

namespace stockout {

std::string number_text(double value, int decimals) {
  const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;
  const std::string sign = value < 0 && !is_zero ? "-" : "";
  return sign + with_commas(std::string_view{digits}.substr(0, point)) + digits.substr(point);
}

std::string dollar_text(double usd) {
  const std::string digits = number_text(std::abs(usd), std::abs(usd) < 100 ? 2 : 0);
  return (number_text(usd, 2).front() == '-' ? "-$" : "$") + digits;
}

std::string share_text(double share) {
  const double percent = share * 100;
  if (percent > 99.9 && percent < 100) return "> 99.9 %";
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return number_text(percent, 1) + " %";
}

std::string with_noise(const std::string& value, const std::string& noise) {
  return noise.empty() ? value : fmt::format("{} ± {}", value, noise);
}

}  // namespace stockout
