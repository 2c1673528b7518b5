#include "tools/report/prices/price_flips.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "tools/report/prices/price_words.h"

namespace stockout {
namespace {

// `then`: "\"spot\" is the cheapest".
PriceFlip flip_at(const BreakEven& model, double factor, const std::string& then) {
  return {
      .change = std::abs(std::log(factor)),
      .sentence = fmt::format("Price of {}: at ${} or {} for an hour of {} in {} ({:+.0f} %; now ${}{}), {}.",
                              price_words(model.model), number_text(factor * model.usd_per_hour, 2),
                              factor > 1 ? "more" : "less", model.machine, model.region, (factor - 1) * 100,
                              number_text(model.usd_per_hour, 2),
                              model.is_one_of_several ? ", others of its kind in proportion" : "", then)};
}

std::string quoted_name(const Comparison& comparison, const WinningRange& range) {
  return fmt::format("\"{}\"", comparison.strategies[range.strategy].name);
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
  const auto wins = [&](const WinningRange& range) {
    return quoted_name(comparison, range) + " is the cheapest";
  };
  const auto now = model.ranges.begin() + (range_now(model) - model.ranges.data());
  const auto is_other = [&](const WinningRange& range) { return !is_answer(range.strategy); };
  const auto up = std::find_if(now + 1, model.ranges.end(), is_other);
  const std::optional<double>& broke = model.over_budget_from;
  if (up != model.ranges.end() && (!broke || up->from < *broke)) {
    flips.push_back(flip_at(model, up->from, wins(*up)));
  } else if (broke && *broke >= 1) {
    flips.push_back(flip_at(model, *broke, "no strategy keeps to the budget"));
  }
  const auto down = std::find_if(std::reverse_iterator{now}, model.ranges.rend(), is_other);
  if (down != model.ranges.rend() && *down->until > 0)
    flips.push_back(flip_at(model, *down->until, wins(*down)));
  return flips;
}

std::optional<PriceFlip> flip_into_budget(const BreakEven& model, const Comparison& comparison) {
  const std::optional<double>& broke = model.over_budget_from;
  if (!broke || *broke <= 0 || *broke >= 1) return std::nullopt;
  const auto winner = std::ranges::find_if(
      model.ranges, [&](const WinningRange& range) { return !range.until || *range.until >= *broke; });
  return flip_at(model, *broke,
                 quoted_name(comparison, *winner) + " is the cheapest, and keeps to the budget");
}

}  // namespace stockout
