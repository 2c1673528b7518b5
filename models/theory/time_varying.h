#pragma once

#include <functional>
#include <span>

namespace stockout {

/// Arrivals at a constant rate over a stretch of time. Units of time are the caller's, the same everywhere.
struct RateStep {
  double from = 0;
  double until = 0;  // at least `from`
  double rate = 0;   // at least 0
};

/// Mean number in a system of infinitely many servers at time `at`, with Poisson arrivals whose rate is the
/// sum of `steps` (0 elsewhere) and independent service times S of any law (Mt/G/infinity):
///   m(t) = integral of rate(u) P(S > t - u) du  =  sum_i rate_i (E min(S, t - from_i) - E min(S, t -
///   until_i)),
/// with stretches cut at t. The number is Poisson with that mean if the system was empty before the first
/// step. `mean_below(x)` is E min(S, x), for x >= 0. Source: C. Palm 1943; S. G. Eick, W. A. Massey, W.
/// Whitt, The Physics of the Mt/G/infinity Queue, Oper. Res. 41(4), 1993, theorem 1. For a step the integral
/// of P(S > x) is E min(S, x).
[[nodiscard]] double mean_in_system(std::span<const RateStep> steps, double at,
                                    const std::function<double(double)>& mean_below);

/// The same for the rate mean_rate * (1 + swing * sin(frequency * t)) for ever and exponential service times
/// of mean 1 / service_rate:
///   m(t) = (mean_rate / mu) (1 + swing (sin(f t) - (f / mu) cos(f t)) / (1 + (f / mu)^2)).
/// mu > 0, f > 0, mean_rate >= 0, swing in [0, 1].
/// Source: S. G. Eick, W. A. Massey, W. Whitt, Mt/G/infinity Queues with Sinusoidal Arrival Rates, Management
/// Sci. 39(2), 1993.
struct SinusoidalLoad {
  double mean_rate = 0;
  double swing = 0;
  double frequency = 1;  // radians per unit of time
  double service_rate = 1;
};
[[nodiscard]] double mean_in_system(const SinusoidalLoad& load, double at);

}  // namespace stockout
