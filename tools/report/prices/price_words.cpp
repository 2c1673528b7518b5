#include "tools/report/prices/price_words.h"

#include <algorithm>
#include <array>

namespace stockout {
namespace {

constexpr std::array<std::string_view, kPriceModelNames.size()> kPriceWords{
    "On-demand",         "Spot",          "Flex Start", "Calendar mode", "1-year commitment",
    "3-year commitment", "Management fee"};
static_assert(std::ranges::none_of(kPriceWords, &std::string_view::empty), "a price model without words");

}  // namespace

std::string_view price_words(PriceModel model) { return kPriceWords[static_cast<std::size_t>(model)]; }

std::string price_words(const std::string& name) {
  const auto found = std::ranges::find(kPriceModelNames, name);
  if (found == kPriceModelNames.end()) return name;
  return std::string{kPriceWords[static_cast<std::size_t>(found - kPriceModelNames.begin())]};
}

}  // namespace stockout
