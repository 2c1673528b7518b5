#pragma once

#include <cstddef>
#include <span>

namespace stockout {

/// Observations that MSER-5 takes together.
inline constexpr std::size_t kMserBatch = 5;

/// Where the start of a series stops to matter.
struct Truncation {
  std::size_t observations = 0;  // to be left out at the front, a multiple of kMserBatch
  /// Whether the rule found a place at all: a minimum in the second half says that the series is too short.
  bool found = false;
};

/// MSER-5: of the means of batches of five observations, the number d of batches to leave out is the one that
/// makes the squared standard error of the mean of the rest, sum (z - mean)^2 / (m - d)^2, least; the first
/// of several, and in the first half of the m batches. Takes time in proportion to the series; an incomplete
/// last batch is left out. At least ten observations, finite. K. P. White Jr., An effective truncation
/// heuristic for bias reduction in simulation output, Simulation 69, 1997; K. P. White Jr., M. J. Cobb, S. C.
/// Spratt, A comparison of five steady-state truncation heuristics for simulation, WSC 2000.
[[nodiscard]] Truncation mser5(std::span<const double> series);

}  // namespace stockout
