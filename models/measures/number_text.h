#pragma once

#include <string>

namespace stockout {

/// `value` with `decimals` digits behind the point and commas between thousands: "1,234.50". Never "-0".
[[nodiscard]] std::string number_text(double value, int decimals = 0);

/// "$1,234", "-$1,234"; with cents below 100 dollars, where they matter.
[[nodiscard]] std::string dollar_text(double usd);

/// A share of 1 as per cent: "97.1 %". Never rounded to "100.0 %" or "0.0 %" unless it is.
[[nodiscard]] std::string share_text(double share);

/// "3.98 ± 0.12": a value and half of its 95 % interval, both as text; the value alone where `noise` is
/// empty.
[[nodiscard]] std::string with_noise(const std::string& value, const std::string& noise);

}  // namespace stockout
