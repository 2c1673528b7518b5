#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/stats/interval.h"

namespace stockout {

/// Most controls of an estimate: each costs a degree of freedom.
inline constexpr std::size_t kMostControls = 4;

/// Fewer observations than this are not adjusted: what a few of them say about how a control and the
/// observation hang together is little.
inline constexpr std::size_t kLeastControlled = 10;

/// By how much the controls of one observation are more than expected: their expectation is 0.
using Surplus = std::array<double, kMostControls>;  // 0 for controls that are not there

/// Means and products of controls over observations that come one after another, in constant memory.
class ControlMoments {
 public:
  using Vector = std::array<double, kMostControls>;
  using Matrix = std::array<double, kMostControls * kMostControls>;  // column by column

  /// Returns how far `surplus` is from the mean of those before it.
  Vector add(const Surplus& surplus);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] const Vector& mean() const { return mean_; }
  /// Sums of products of the distances from the means.
  [[nodiscard]] const Matrix& products() const { return products_; }

 private:
  std::size_t count_ = 0;
  Vector mean_{};
  Matrix products_{};
};

/// Adds `distance` times `factor` to `cross`.
void add_cross(ControlMoments::Vector& cross, const ControlMoments::Vector& distance, double factor);

/// The mean of observations, adjusted by regression on controls whose expectations are known: what is linear
/// in the surplus of the controls is taken off. `cross`: sums of products of the distances of controls and
/// observation from their means. The interval is Student's with n - 1 - q degrees of freedom, q being the
/// controls that say something of their own, and its width takes the error of the regression into account.
/// At least kLeastControlled observations, all of them with controls; else the plain estimate. S. S.
/// Lavenberg, P. D. Welch, A perspective on the use of control variables to increase the efficiency of Monte
/// Carlo simulations, Management Science 27, 1981: exact where observation and controls are jointly normal.
[[nodiscard]] Estimate adjust(const RunningEstimate& plain, const ControlMoments& controls,
                              const ControlMoments::Vector& cross, double confidence = 0.95);

/// adjust() for differences `a[i] - b[i]`, in the manner of estimate_difference().
[[nodiscard]] Estimate adjusted_difference(std::span<const double> a, std::span<const double> b,
                                           std::span<const Surplus> surplus, double confidence = 0.95);

}  // namespace stockout
