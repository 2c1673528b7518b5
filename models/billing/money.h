#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "sim/core/check.h"
#include "sim/core/quantity.h"

namespace stockout {

/// An exact sum of money. Inside it counts nano-dollar-milliseconds per hour: the product of a price and a
/// machine-time, which needs no division. So sums do not depend on their order, and money is rounded once,
/// where it is printed.
class Money {
 public:
  constexpr Money() = default;

  friend constexpr auto operator<=>(Money, Money) = default;

  /// Checked: a sum beyond 128 bits, 4.7e19 dollars, is an InvariantError.
  friend constexpr Money operator+(Money a, Money b) {
    Wide sum = 0;
    STOCKOUT_CHECK(!__builtin_add_overflow(a.count_, b.count_, &sum));
    return Money{sum};
  }
  friend constexpr Money operator-(Money a, Money b) {
    Wide difference = 0;
    STOCKOUT_CHECK(!__builtin_sub_overflow(a.count_, b.count_, &difference));
    return Money{difference};
  }
  constexpr Money& operator+=(Money b) { return *this = *this + b; }
  constexpr Money& operator-=(Money b) { return *this = *this - b; }

  /// Dollars, to the precision of double: for ratios and statistics, not for sums.
  [[nodiscard]] double to_usd() const;

  /// Dollars as text with `decimals` (0 to 9) digits behind the point, rounded to nearest, halves away from
  /// zero: "1234.50", "-0.01".
  [[nodiscard]] std::string to_text(int decimals = 2) const;

  /// The part above whole nano-dollars, the last decimal of to_text(9): 0 or more, also of a credit.
  [[nodiscard]] Money below_nano_dollar() const;

 private:
  friend constexpr Money operator*(MachineHourPrice price, MachineTime used);
  __extension__ using Wide = __int128;
  constexpr explicit Money(Wide count) : count_{count} {}

  Wide count_ = 0;
};

/// Cost of `used` at `price`. Cannot overflow.
constexpr Money operator*(MachineHourPrice price, MachineTime used) {
  return Money{Money::Wide{price.count()} * used.count()};
}

inline constexpr Money kNanoDollar = MachineHourPrice{1} * MachineTime{3'600'000};

}  // namespace stockout
