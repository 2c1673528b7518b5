#include "sim/core/duration_text.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "sim/core/digit.h"

namespace stockout {
namespace {

struct Unit {
  std::string_view name;
  std::string_view word;  // of one
  std::int64_t ms;
};

constexpr std::array kUnits{Unit{"w", "week", 604'800'000}, Unit{"d", "day", 86'400'000},
                            Unit{"h", "hour", 3'600'000},   Unit{"min", "minute", 60'000},
                            Unit{"s", "second", 1'000},     Unit{"ms", "millisecond", 1}};

std::string_view take_while(std::string_view& text, bool (*wanted)(char)) {
  std::size_t length = 0;
  while (length < text.size() && wanted(text[length])) ++length;
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length);
  return taken;
}

const Unit* find_unit(std::string_view name) {
  const std::string_view of_one = name.ends_with('s') ? name.substr(0, name.size() - 1) : name;
  for (const Unit& unit : kUnits) {
    if (unit.name == name || unit.word == of_one) return &unit;
  }
  return nullptr;
}

// Adds `digits` times `scale` to `total`. False if it does not fit.
bool add_whole(std::string_view digits, std::int64_t scale, std::int64_t& total) {
  std::int64_t value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{}) return false;
  std::int64_t product = 0;
  return !__builtin_mul_overflow(value, scale, &product) && !__builtin_add_overflow(total, product, &total);
}

// Adds 0.`digits` times `scale` to `total`, digit by digit, so that "0.1h" is exact. False if it is not
// whole.
bool add_fraction(std::string_view digits, std::int64_t scale, std::int64_t& total) {
  while (digits.ends_with('0')) digits.remove_suffix(1);
  for (const char digit : digits) {
    if (scale % 10 != 0) return false;
    scale /= 10;
    if (__builtin_add_overflow(total, (digit - '0') * scale, &total)) return false;
  }
  return true;
}

}  // namespace

std::optional<SimDuration> parse_duration(std::string_view text) {
  if (text == "forever") return kForever;
  if (text.empty()) return std::nullopt;
  std::int64_t total = 0;
  while (!text.empty()) {
    const std::string_view whole = take_while(text, is_digit);
    std::string_view fraction;
    if (!whole.empty() && text.starts_with('.')) {
      text.remove_prefix(1);
      fraction = take_while(text, is_digit);
      if (fraction.empty()) return std::nullopt;
    }
    if (!whole.empty() && text.starts_with(' ')) text.remove_prefix(1);
    const Unit* unit = find_unit(take_while(text, [](char c) { return c >= 'a' && c <= 'z'; }));
    if (whole.empty() || unit == nullptr) return std::nullopt;
    if (!add_whole(whole, unit->ms, total) || !add_fraction(fraction, unit->ms, total)) return std::nullopt;
    if (text.starts_with(' ') && text.size() > 1) text.remove_prefix(1);
  }
  if (SimDuration{total} == kForever) return std::nullopt;
  return SimDuration{total};
}

std::string format_duration(SimDuration length) {
  if (length == kForever) return "forever";
  if (length == SimDuration::zero()) return "0s";
  std::string text = length < SimDuration::zero() ? "-" : "";
  std::uint64_t left = length < SimDuration::zero() ? 0 - static_cast<std::uint64_t>(length.count())
                                                    : static_cast<std::uint64_t>(length.count());
  const std::size_t sign = text.size();
  for (const Unit& unit : kUnits) {
    if (unit.name == "w") continue;  // "14d" reads better than "2w" in a table
    const auto size = static_cast<std::uint64_t>(unit.ms);
    if (left >= size) text += fmt::format("{}{}{}", text.size() > sign ? " " : "", left / size, unit.name);
    left %= size;
  }
  return text;
}

}  // namespace stockout
