#include "tools/kueue/quantity_text.h"

// Quantities as Kubernetes writes them.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>

namespace stockout::kueue {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kMostExponent = 1'000;  // beyond it is nothing, or more than there is
constexpr Wide kMostDigits =
    1'000'000'000'000'000'000;  // 19 digits and what multiplies them are less than 2^128

/// digits x 10^tens x 2^twos; `has_more` if digits were left out.
struct Number {
  Wide digits = 0;
  int tens = 0;
  int twos = 0;
  bool has_more = false;
};

struct Suffix {
  std::string_view name;
  int tens = 0;
  int twos = 0;
};

constexpr std::array kSuffixes{
    Suffix{""},          Suffix{"n", -9},     Suffix{"u", -6},     Suffix{"m", -3},
    Suffix{"k", 3},      Suffix{"M", 6},      Suffix{"G", 9},      Suffix{"T", 12},
    Suffix{"P", 15},     Suffix{"E", 18},     Suffix{"Ki", 0, 10}, Suffix{"Mi", 0, 20},
    Suffix{"Gi", 0, 30}, Suffix{"Ti", 0, 40}, Suffix{"Pi", 0, 50}, Suffix{"Ei", 0, 60}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append(Number& number, char digit, bool is_fraction) {
  if (number.digits < kMostDigits) {
    number.digits = number.digits * 10 + static_cast<Wide>(digit - '0');
    if (is_fraction) --number.tens;
  } else {
    number.has_more = number.has_more || digit != '0';
    if (!is_fraction) ++number.tens;
  }
}

// Takes the digits and the point off the text. Nothing if there is no digit.
std::optional<Number> take_digits(std::string_view& text) {
  Number number;
  bool is_fraction = false;
  bool has_digit = false;
  while (!text.empty() && (is_digit(text.front()) || (text.front() == '.' && !is_fraction))) {
    if (text.front() == '.') {
      is_fraction = true;
    } else {
      append(number, text.front(), is_fraction);
      has_digit = true;
    }
    text.remove_prefix(1);
  }
  return has_digit ? std::optional{number} : std::nullopt;
}

// "e3", "E-3"; "E" alone is a suffix.
std::optional<int> exponent_of(std::string_view text) {
  if (text.size() < 2 || (text.front() != 'e' && text.front() != 'E')) return std::nullopt;
  text.remove_prefix(1);
  if (text.size() > 1 && text.front() == '+' && is_digit(text[1])) text.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return std::clamp(exponent, -kMostExponent, kMostExponent);
}

bool apply_suffix(Number& number, std::string_view text) {
  if (const auto exponent = exponent_of(text)) {
    number.tens += *exponent;
    return true;
  }
  const auto suffix =
      std::find_if(kSuffixes.begin(), kSuffixes.end(), [&](const Suffix& one) { return one.name == text; });
  if (suffix == kSuffixes.end()) return false;
  number.tens += suffix->tens;
  number.twos = suffix->twos;
  return true;
}

Wide power_of_ten(int tens) {
  Wide power = 1;
  for (int i = 0; i < tens; ++i) power *= 10;
  return power;
}

// Up to a whole number. More than there are of anything is unlimited.
Amount rounded_up(const Number& number) {
  constexpr int kMostTens = 38;  // 10^38 is less than 2^128
  constexpr Wide kMost = static_cast<Wide>(std::numeric_limits<std::int64_t>::max());
  if (number.digits == 0) return Amount{};
  const Wide whole = number.digits << number.twos;  // less than 2^124
  if (number.tens > 19) return Amount::unlimited();
  if (number.tens < -kMostTens) return Amount{1};
  Wide value = whole;
  if (number.tens >= 0) {
    if (value > kMost) return Amount::unlimited();
    value = value * power_of_ten(number.tens) + (number.has_more ? 1 : 0);
  } else {
    const Wide divisor = power_of_ten(-number.tens);
    const bool has_rest = number.has_more || whole % divisor != 0;
    value = whole / divisor + (has_rest ? 1 : 0);
  }
  return value >= kMost ? Amount::unlimited() : Amount{static_cast<std::int64_t>(value)};
}

}  // namespace

std::optional<Amount> parse_quantity(std::string_view text, bool in_thousandths) {
  if (text.starts_with('+')) text.remove_prefix(1);
  auto number = take_digits(text);
  if (!number || !apply_suffix(*number, text)) return std::nullopt;
  if (in_thousandths) number->tens += 3;
  return rounded_up(*number);
}

}  // namespace stockout::kueue
