#include "models/kept/number_list.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "sim/core/check.h"

namespace stockout {
namespace {

constexpr const char* kNoList = "must be a list of numbers, as in [0.5, null]";

std::string listed(double number) {
  STOCKOUT_CHECK(!std::isinf(number));
  return std::isnan(number) ? "null" : fmt::format("{}", number);
}

std::optional<double> number_of(std::string_view text) {
  if (text == "null") return std::numeric_limits<double>::quiet_NaN();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace

StoredValue NumberList::encode(const std::vector<double>& member) {
  std::string text = "[";
  for (const double number : member) {
    if (text.size() > 1) text += ',';
    text += listed(number);
  }
  text += ']';
  return text;
}

std::string NumberList::decode(const StoredValue& value, std::vector<double>& member) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || text->size() < 2 || !text->starts_with('[') || !text->ends_with(']')) return kNoList;
  member.clear();
  if (*text == "[]") return {};
  std::string_view left = std::string_view{*text}.substr(1, text->size() - 2);
  while (true) {
    const std::size_t end = left.find(',');
    const std::optional<double> number = number_of(left.substr(0, end));
    if (!number) return kNoList;
    member.push_back(*number);
    if (end == std::string_view::npos) return {};
    left.remove_prefix(end + 1);
  }
}

}  // namespace stockout
