#include "sim/core/counted.h"

#include <fmt/format.h>

namespace stockout {

std::string with_commas(std::string_view digits) {
  constexpr std::size_t kGroup = 3;
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % kGroup == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  const std::string number = with_commas(fmt::format("{}", count));
  if (count == 1) return fmt::format("{} {}", number, one);
  return many.empty() ? fmt::format("{} {}s", number, one) : fmt::format("{} {}", number, many);
}

}  // namespace stockout
