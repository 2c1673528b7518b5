#include "sim/io/number.h"

#include <array>
#include <charconv>
#include <cmath>

namespace stockout {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kMost = std::int64_t{1} << 62;
constexpr int kExactDigits = 18;  // 10^18 fits 63 bits

constexpr auto kPowersOfTen = [] {
  std::array<std::int64_t, kExactDigits + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// Digits are gathered without regard to overflow; the caller counts them.
const char* take_digits(const char* from, const char* end, std::uint64_t& number) {
  for (; from != end; ++from) {
    const auto digit = static_cast<unsigned>(*from - '0');
    if (digit > 9) break;
    number = number * 10 + digit;
  }
  return from;
}

// a * b / (c * d) to the nearest whole number, halves up; more than kMost if it is larger than that.
std::int64_t nearest_quotient(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  std::int64_t narrow_product = 0;
  std::int64_t narrow_divisor = 0;
  if (!__builtin_mul_overflow(a, b, &narrow_product) && !__builtin_mul_overflow(c, d, &narrow_divisor) &&
      narrow_product <= kMost && narrow_divisor <= kMost) {  // nearly always, and several times faster
    return narrow_divisor == 1 ? narrow_product : (narrow_product + narrow_divisor / 2) / narrow_divisor;
  }
  const Wide divisor = Wide{c} * d;
  const Wide nearest = (Wide{a} * b + divisor / 2) / divisor;
  return nearest > kMost ? kMost + 1 : static_cast<std::int64_t>(nearest);
}

// For exponents and more digits than the exact way holds.
std::errc parse_scaled_as_double(std::string_view text, std::int64_t numerator, std::int64_t denominator,
                                 std::int64_t& value) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::general);
  if (stop != end || error == std::errc::invalid_argument) return std::errc::invalid_argument;
  if (error != std::errc{}) return error;
  const double scaled = number * static_cast<double>(numerator) / static_cast<double>(denominator);
  if (!(std::abs(scaled) < static_cast<double>(kMost))) return std::errc::result_out_of_range;
  value = std::llround(scaled);
  return {};
}

}  // namespace

std::errc parse_integer(std::string_view text, std::int64_t& value) {
  const char* const end = text.data() + text.size();
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end || error == std::errc::invalid_argument) return std::errc::invalid_argument;
  if (error == std::errc{}) value = number;
  return error;
}

std::errc parse_scaled_decimal(std::string_view text, std::int64_t numerator, std::int64_t denominator,
                               std::int64_t& value) {
  const bool negative = text.starts_with('-');
  const char* const begin = text.data() + (negative ? 1 : 0);
  const char* const end = text.data() + text.size();
  std::uint64_t digits = 0;
  const char* stop = take_digits(begin, end, digits);
  auto count = stop - begin;
  std::ptrdiff_t decimals = 0;
  if (stop != end && *stop == '.') {
    const char* const point = stop;
    stop = take_digits(point + 1, end, digits);
    decimals = stop - point - 1;
    count += decimals;
  }
  if (count == 0) return std::errc::invalid_argument;  // also "nan", "inf", "-", "."
  if (stop != end || count > kExactDigits) return parse_scaled_as_double(text, numerator, denominator, value);

  const std::int64_t power = kPowersOfTen[static_cast<std::size_t>(decimals)];
  const std::int64_t nearest =
      nearest_quotient(static_cast<std::int64_t>(digits), numerator, denominator, power);
  if (nearest > kMost) return std::errc::result_out_of_range;
  value = negative ? -nearest : nearest;
  return {};
}

bool is_exact_zero(std::string_view number) {
  for (const char c : number) {
    if (c >= '1' && c <= '9') return false;
    if (c == 'e' || c == 'E') break;
  }
  return true;
}

}  // namespace stockout
