#pragma once

namespace stockout {

/// The bathtub law: many end early, few in the middle, and the rest late, all at about the same age.
///
/// A share A is at risk early, at a rate that dies away with the time scale t1; around the age b everything
/// that is left goes, at a rate that grows by e with every t2. The density is the sum of both,
///   f(t) = A (exp(-t / t1) / t1 + exp((t - b) / t2) / t2),
/// and from F(0) = 0 follows
///   F(t) = A (1 - exp(-t / t1) + exp((t - b) / t2) - exp(-b / t2)), and 1 from where this reaches 1.
/// (The shape is that of J. Kadupitiya, V. Jadhao, P. Sharma, arXiv:1911.05160, for VMs that are stopped at
/// 24 h; their F has no last term and so begins a trifle above 0.)
struct Bathtub {
  double share = 0;     // A: above 0, at most 1
  double early_ms = 0;  // t1; above 0, as are the next two
  double late_ms = 0;   // t2
  double at_ms = 0;     // b

  /// F.
  [[nodiscard]] double ended_by(double ms) const;

  /// The age by which a share `u`, from 0 to 1, has ended.
  [[nodiscard]] double age_ms(double u) const;

  /// E min(X, bound): the integral of 1 - F up to the bound, or to where F is 1.
  [[nodiscard]] double mean_below_ms(double bound_ms) const;
};

}  // namespace stockout
