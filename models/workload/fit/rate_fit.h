#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/io/time_stamp.h"

namespace stockout {

/// Growth of a Poisson rate, by log-linear regression of weekly counts.
struct GrowthFit {
  double per_month = 0;  // 0.05: 5 % more every month (30.436875 days), compound
  double p_value = 1;    // of no growth: Student's t, the variance widened by the weeks' own dispersion
  [[nodiscard]] bool is_significant() const { return p_value < 0.01; }
};

/// The rate of arrivals as base times hour of day times day of week (times growth), by maximum likelihood of
/// a Poisson process, and how far the counts are from one.
struct RateFit {
  double per_week = 0;                    // mean number in a week; where demand grows, at the first arrival
  std::array<double, 24> hour_profile{};  // by local hour; mean 1
  std::array<double, 7> day_profile{};    // Monday first; mean 1
  std::optional<GrowthFit> growth;        // of 8 weeks with 5 arrivals each, at least
  std::uint64_t hours = 0;                // of the span, whole local hours
  bool covers_day = false;                // enough arrivals over a whole day for its profile ...
  bool covers_week = false;               // ... and over a whole week; else that profile is even
  double hour_dispersion = 0;             // sum of (count - mean)^2 / mean over hours, by degrees of freedom:
                                          // 1 for a Poisson process, more for bursts
  double day_dispersion = 0;              // the same over days
  double chi_square = 0;                  // of hours of the week against hour times day
  double degrees = 0;                     // of freedom of chi_square; 0: not worked out
};

/// The time in which arrivals were looked for, both ends included.
struct FitSpan {
  std::int64_t first_ms = 0;
  std::int64_t last_ms = 0;
};

/// Fits to sorted arrivals in UNIX milliseconds, or since a zero of their own that `offsets` makes local. At
/// least one arrival, none outside `span`; `offsets` begins at or before that. Memory: one count for each
/// hour of the span.
[[nodiscard]] RateFit fit_rate(std::span<const std::int64_t> arrivals_ms,
                               std::span<const LocalOffset> offsets, const FitSpan& span);

/// The same over the time from the first to the last of them.
[[nodiscard]] RateFit fit_rate(std::span<const std::int64_t> arrivals_ms,
                               std::span<const LocalOffset> offsets);

}  // namespace stockout
