#pragma once

#include <cstddef>
#include <cstdint>
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

/// Mean and Student-t interval of observations that come one after another, in constant memory (Welford, Note
/// on a method for calculating corrected sums of squares and products, 1962). Equal bits for equal
/// observations in equal order.
///
/// Observations whose standard deviation is at most four units in the last place of the largest differ by the
/// rounding of the arithmetic that made them and by nothing else: they have an interval of exactly zero.
class RunningEstimate {
 public:
  void add(double value) { add(value, value); }
  /// A value that was worked out of numbers as large as `size`: a difference.
  void add(double value, double size);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double mean() const { return mean_; }
  /// The sum of the squared distances from the mean.
  [[nodiscard]] double squares() const { return squares_; }

  /// Of what was added, at least one. `confidence` in (0, 1).
  [[nodiscard]] Estimate result(double confidence = 0.95) const;

 private:
  double mean_ = 0;
  double squares_ = 0;  // of the distances from the mean
  double largest_ = 0;  // size
  std::uint32_t count_ = 0;
};

/// Mean and Student-t interval of independent, roughly normal observations, at least one. `confidence` in (0,
/// 1).
[[nodiscard]] Estimate estimate(std::span<const double> values, double confidence = 0.95);

/// The same for the differences `a[i] - b[i]` of two measurements on the same random numbers, of equal
/// length. Much narrower than the two intervals suggest where the two rise and fall together. Differences
/// that are rounding and nothing else are a mean of exactly zero.
[[nodiscard]] Estimate estimate_difference(std::span<const double> a, std::span<const double> b,
                                           double confidence = 0.95);

}  // namespace stockout
