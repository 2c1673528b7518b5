#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace stockout {

/// Reads a whole number: digits with an optional "-", and nothing else. std::errc{} if it is one;
/// invalid_argument if it is not; result_out_of_range if it does not fit. `value` changes only on success.
[[nodiscard]] std::errc parse_integer(std::string_view text, std::int64_t& value);

/// Reads a decimal number such as "12", "-0.5" or "1.5e3" and sets `value` to the whole number nearest to it
/// times `numerator` / `denominator` (both from 1 to 10^13), halves away from zero. Exact for up to 18 digits
/// without an exponent, else correct to the precision of double. "nan", "inf", hexadecimal numbers, a leading
/// "+" and spaces are invalid_argument; a number too large or too small for double, or a result beyond 2^62,
/// is result_out_of_range.
[[nodiscard]] inline std::errc parse_scaled(std::string_view text, std::int64_t numerator,
                                            std::int64_t denominator, std::int64_t& value);

/// Whether a number that parse_scaled() has accepted is exactly zero, and not only rounded to it.
[[nodiscard]] bool is_exact_zero(std::string_view number);

// The general way.
[[nodiscard]] std::errc parse_scaled_decimal(std::string_view text, std::int64_t numerator,
                                             std::int64_t denominator, std::int64_t& value);

// Nearly all numbers of a trace are a few digits and nothing else.
inline std::errc parse_scaled(std::string_view text, std::int64_t numerator, std::int64_t denominator,
                              std::int64_t& value) {
  constexpr std::size_t kFewDigits = 15;
  if (text.empty() || text.size() > kFewDigits || denominator != 1) {
    return parse_scaled_decimal(text, numerator, denominator, value);
  }
  std::int64_t number = 0;
  for (const char c : text) {
    const auto digit = static_cast<unsigned>(c - '0');
    if (digit > 9) return parse_scaled_decimal(text, numerator, denominator, value);
    number = number * 10 + static_cast<std::int64_t>(digit);
  }
  std::int64_t scaled = 0;
  if (__builtin_mul_overflow(number, numerator, &scaled) || scaled > std::int64_t{1} << 62) {
    return std::errc::result_out_of_range;
  }
  value = scaled;
  return {};
}

}  // namespace stockout
