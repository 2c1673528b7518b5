#include "models/scenario/format/unknown.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/scenario/format/varied_value.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

double between(const UnknownRange& range, double share) {
  if (range.law == PriorLaw::uniform) return range.from + (range.to - range.from) * share;
  return range.from * std::exp(std::log(range.to / range.from) * share);
}

// Each number stands for the values that are nearer to it than to its neighbours. The first and the last
// one have as much of a uniform law as the others.
double stepped(const UnknownRange& range, double share) {
  const double steps = std::floor((range.to - range.from) / *range.step + 1e-9);
  if (range.law == PriorLaw::uniform)
    return range.from + *range.step * std::min(std::floor(share * (steps + 1)), steps);
  const double rounded = std::round((between(range, share) - range.from) / *range.step);
  return range.from + *range.step * std::min(rounded, steps);
}

double share_of(const UnknownRange& range, double number) {
  return std::clamp(std::log(number / range.from) / std::log(range.to / range.from), 0.0, 1.0);
}

}  // namespace

std::size_t Unknown::choice_at(double share) const {
  STOCKOUT_CHECK(!choices.empty());
  double total = 0;
  for (const UnknownChoice& choice : choices) total += choice.weight;
  double left = share * total;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    left -= choices[i].weight;
    if (left < 0) return i;
  }
  return choices.size() - 1;
}

double Unknown::number_at(double share) const {
  STOCKOUT_CHECK(range.has_value());
  const double number = range->step ? stepped(*range, share) : between(*range, share);
  return std::clamp(number, range->from, range->to);
}

double Unknown::settled(double share) const {
  if (!range || !range->step) return share;
  const double number = number_at(share);
  const double steps = std::floor((range->to - range->from) / *range->step + 1e-9);
  if (range->law == PriorLaw::uniform)
    return (std::round((number - range->from) / *range->step) + 0.5) / (steps + 1);
  const double half = *range->step / 2;
  return (share_of(*range, std::max(number - half, range->from)) + share_of(*range, number + half)) / 2;
}

std::string Unknown::text_at(double share) const {
  if (!range) return choices[choice_at(share)].text;
  const std::string number = fmt::format("{:.4g}", number_at(share));
  return range->unit_name.empty() ? number : number + ' ' + range->unit_name;
}

std::vector<PlacedValue> Unknown::changes_at(double share) const {
  if (!range) return choices[choice_at(share)].changes;
  const JsonValue number = number_value_of(number_at(share));
  const bool is_length = range->unit > SimDuration::zero();
  const JsonValue placed = is_length ? length_of(number, range->unit) : number;
  const char* const how = range->step ? "" : ", without \"step\"";  // which whole numbers require
  std::vector<PlacedValue> changes;
  for (const std::string& pointer : range->pointers) {
    changes.push_back(
        {.pointer = pointer, .value = placed, .said_in = fmt::format("{}{}: {}", said_in, how, pointer)});
  }
  return changes;
}

}  // namespace stockout
