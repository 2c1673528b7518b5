#include "tools/report/prices/price_flips.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "tools/report/prices/price_words.h"

namespace stockout {
namespace {

PriceFlip flip_to(const BreakEven& model, const std::string& winner, double factor) {
  return {
      .change = std::abs(std::log(factor)),
      .sentence = fmt::format(
          "Price of {}: at ${} or {} for an hour of {} in {} ({:+.0f} %; now ${}{}), \"{}\" is the cheapest.",
          price_words(model.model), number_text(factor * model.usd_per_hour, 2), factor > 1 ? "more" : "less",
          model.machine, model.region, (factor - 1) * 100, number_text(model.usd_per_hour, 2),
          model.is_one_of_several ? ", others of its kind in proportion" : "", winner)};
}

}  // namespace

const WinningRange* range_now(const BreakEven& model) {
  const auto now = std::ranges::find_if(model.ranges, [](const WinningRange& range) {
    return range.from <= 1 && (!range.until || *range.until >= 1);
  });
  return now == model.ranges.end() ? nullptr : &*now;
}

std::vector<PriceFlip> price_flips(const BreakEven& model, const Comparison& comparison,
                                   const std::function<bool(std::size_t strategy)>& is_answer) {
  std::vector<PriceFlip> flips;
  const auto name = [&](const WinningRange& range) { return comparison.strategies[range.strategy].name; };
  const auto now = model.ranges.begin() + (range_now(model) - model.ranges.data());
  const auto is_other = [&](const WinningRange& range) { return !is_answer(range.strategy); };
  const auto up = std::find_if(now + 1, model.ranges.end(), is_other);
  if (up != model.ranges.end()) flips.push_back(flip_to(model, name(*up), up->from));
  const auto down = std::find_if(std::reverse_iterator{now}, model.ranges.rend(), is_other);
  if (down != model.ranges.rend() && *down->until > 0)
    flips.push_back(flip_to(model, name(*down), *down->until));
  return flips;
}

}  // namespace stockout
