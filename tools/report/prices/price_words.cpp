#include "tools/report/prices/price_words.h"

#include <algorithm>
#include <array>

namespace stockout {
namespace {

/// How one price model is called.
struct PriceWords {
  PriceModel model{};
  std::string_view by_planners;
  std::string_view on_bills;
};

constexpr std::array<PriceWords, kPriceModelNames.size()> kPriceWords{{
    {PriceModel::on_demand, "On-demand", "on demand"},
    {PriceModel::spot, "Spot", "Spot"},
    {PriceModel::flex_start, "Flex Start", "Flex Start"},
    {PriceModel::calendar, "Calendar mode", "Calendar"},
    {PriceModel::cud_1y, "1-year commitment", "1-year commitment"},
    {PriceModel::cud_3y, "3-year commitment", "3-year commitment"},
    {PriceModel::management_fee, "Management fee", "management fee"},
}};

constexpr bool has_every_model() {
  for (std::size_t i = 0; i < kPriceWords.size(); ++i) {
    const PriceWords& words = kPriceWords[i];
    if (static_cast<std::size_t>(words.model) != i || words.by_planners.empty() || words.on_bills.empty())
      return false;
  }
  return true;
}
static_assert(has_every_model(), "a price model without words, or out of order");

const PriceWords& words_of(PriceModel model) { return kPriceWords[static_cast<std::size_t>(model)]; }

}  // namespace

std::string_view price_words(PriceModel model) { return words_of(model).by_planners; }

std::string_view bill_words(PriceModel model) { return words_of(model).on_bills; }

std::string price_words(const std::string& name) {
  const auto found = std::ranges::find(kPriceModelNames, name);
  if (found == kPriceModelNames.end()) return name;
  return std::string{price_words(static_cast<PriceModel>(found - kPriceModelNames.begin()))};
}

}  // namespace stockout
