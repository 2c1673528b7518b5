#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/core/time.h"
#include "sim/random/law.h"

namespace stockout {

/// A law fitted to lengths by maximum likelihood.
struct LawFit {
  Law law;
  double log_likelihood = 0;  // of lengths in seconds
  double aic = 0;             // 2 * parameters - 2 * log_likelihood: the smaller the better (Akaike 1974)
  double distance = 0;  // Kolmogorov's D to the sample: the largest difference of the distribution functions
};

/// How far a law may be from a large sample (LawFit::distance) to stand for it; a small one may differ by
/// chance, 1.36 / sqrt(n).
inline constexpr double kCloseEnough = 0.05;

/// The fits to a sample of lengths, the smallest AIC first: exponential, lognormal, Weibull and Pareto, those
/// whose parameters a scenario may have. Empty if all lengths are equal. The Weibull shape is found by
/// bisection on at most 200,000 of the lengths, evenly taken from the sorted sample. `sorted`: at least one,
/// each at least 1 ms.
[[nodiscard]] std::vector<LawFit> fit_laws(std::span<const SimDuration> sorted);

/// The sample's own quantiles, at the per cents worth knowing, as an empirical law.
[[nodiscard]] Law quantile_law(std::span<const SimDuration> sorted);

/// The law for a scenario: the constant if all are equal, the first of `fits` that is close enough, else the
/// sample's quantiles.
[[nodiscard]] Law chosen_law(std::span<const SimDuration> sorted, std::span<const LawFit> fits);

}  // namespace stockout
