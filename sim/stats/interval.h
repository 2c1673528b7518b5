#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace stockout {

/// The mean of independent observations, and how far off it may be.
struct Estimate {
  double mean = 0;
  std::optional<double> half_width;  // of the confidence interval; none for fewer than two observations
  std::size_t count = 0;

  /// Ends of the interval; the mean itself where there is none.
  [[nodiscard]] double low() const { return mean - half_width.value_or(0); }
  [[nodiscard]] double high() const { return mean + half_width.value_or(0); }
};

/// Mean and Student-t interval of independent, roughly normal observations, at least one. `confidence` in (0,
/// 1).
[[nodiscard]] Estimate estimate(std::span<const double> values, double confidence = 0.95);

/// The same for the differences `a[i] - b[i]` of two measurements on the same random numbers, of equal
/// length. Much narrower than the two intervals suggest where the two rise and fall together.
[[nodiscard]] Estimate estimate_difference(std::span<const double> a, std::span<const double> b,
                                           double confidence = 0.95);

}  // namespace stockout
