#include <limits>
#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "sim/io/number.h"

using namespace stockout;

namespace {

// The value, or a text that says what was wrong.
std::string scaled(std::string_view text, std::int64_t numerator = 1000, std::int64_t denominator = 1) {
  std::int64_t value = -12345;
  const std::errc error = parse_scaled(text, numerator, denominator, value);
  if (error == std::errc::invalid_argument) return "no number";
  if (error == std::errc::result_out_of_range) return "out of range";
  return std::to_string(value);
}

}  // namespace

TEST_CASE("A decimal number is scaled exactly and rounded to the nearest, halves away from zero",
          "[number]") {
  CHECK(scaled("0") == "0");
  CHECK(scaled("66.0") == "66000");
  CHECK(scaled("1.0005") == "1001");
  CHECK(scaled("1.0004999") == "1000");
  CHECK(scaled("-1.0005") == "-1001");
  CHECK(scaled(".5") == "500");
  CHECK(scaled("2.", 1) == "2");
  CHECK(scaled("2.5", 1) == "3");
  CHECK(scaled("0.5769444444444503", 3'600'000, 1000) == "2077");
  CHECK(scaled("123456789012345678", 1) == "123456789012345678");
  CHECK(scaled("1.5e3", 1) == "1500");
  CHECK(scaled("1E-3") == "1");
  CHECK(scaled("0.1000000000000000000000001") == "100");  // more digits than the exact way holds
  CHECK(scaled("-7", 1000, 2000) == "-4");
}

TEST_CASE("What is no finite decimal number is refused, not read in part", "[number]") {
  for (const char* text :
       {"",   "-",    ".",   "-.",    "nan", "NaN", "-nan",  "inf", "Infinity", "-inf", "+1",    " 1",
        "1 ", "0x10", "1,5", "1_000", "--1", "1-",  "1.2.3", "e5",  "1e",       "1e+",  "12abc", "\u0661"}) {
    CAPTURE(text);
    CHECK(scaled(text) == "no number");
  }
}

TEST_CASE("Numbers beyond 2^62, or beyond what a double can hold, are out of range", "[number]") {
  CHECK(scaled("999999999999999999") == "out of range");
  CHECK(scaled("1e300") == "out of range");
  CHECK(scaled("-1e300") == "out of range");
  CHECK(scaled("7E888") == "out of range");
  CHECK(scaled("1e-400") == "out of range");
  CHECK(scaled(std::string(400, '9')) == "out of range");
  CHECK(scaled(std::string(400, '0') + "1", 1) == "1");
  CHECK(scaled("999999999999999999", 10'000'000'000'000, 1) == "out of range");
  CHECK(scaled("999999999999999999", 10'000'000'000'000, 10'000'000'000'000) == "999999999999999999");
}

TEST_CASE("The fast and the general way agree", "[number]") {
  std::mt19937_64 random{7};
  for (int i = 0; i < 20'000; ++i) {
    const auto whole = static_cast<std::int64_t>(random() % 1'000'000'000);
    const auto thousandths = static_cast<std::int64_t>(random() % 1000);
    const std::string decimals = std::to_string(1000 + thousandths).substr(1);
    const std::string text = std::to_string(whole) + '.' + decimals;
    CHECK(scaled(text) == std::to_string(whole * 1000 + thousandths));
    CHECK(scaled(text + "e0") == scaled(text));
    CHECK(scaled(text + "00000000000000000000") == scaled(text));
  }
}

TEST_CASE("Whether a number is exactly zero does not depend on rounding", "[number]") {
  for (const char* zero : {"0", "0.000", "-0", "0e5", "000"}) CHECK(is_exact_zero(zero));
  for (const char* small : {"0.0001", "1e-9", "10", "-0.5"}) CHECK_FALSE(is_exact_zero(small));
}

TEST_CASE("A whole number is digits with an optional minus, in 64 bits", "[number]") {
  std::int64_t value = 0;
  CHECK(parse_integer("-9223372036854775808", value) == std::errc{});
  CHECK(value == std::numeric_limits<std::int64_t>::min());
  value = 5;
  CHECK(parse_integer("9223372036854775808", value) == std::errc::result_out_of_range);
  for (const char* text : {"", "1.0", "+1", " 1", "1e3", "0x1", "nan"}) {
    CHECK(parse_integer(text, value) == std::errc::invalid_argument);
  }
  CHECK(value == 5);
}
