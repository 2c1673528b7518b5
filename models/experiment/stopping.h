#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/experiment/summary.h"
#include "models/measures/precision.h"

namespace stockout {

/// How exactly one measure of one strategy is known.
struct KnownTo {
  enum class State : std::uint8_t {
    met,      // the half-width is within what is asked
    not_met,  // it is not, or there are too few values for one
    bound,    // a bound from below, which has no interval however many replications there are
    absent,   // no replication has a value
  };

  std::size_t strategy = 0;  // place in the comparison
  Measure measure{};
  State state = State::absent;
  std::optional<double> half_width;  // as a share of the mean's size; none where there is no interval
};

/// Outcome of a Precision that was asked for.
struct PrecisionReached {
  Precision asked;
  std::vector<std::size_t> looks;  // numbers of replications at which it was asked whether they suffice
  std::vector<KnownTo> known;      // at the last look: of each strategy that draws, each measure

  /// Whether nothing that can be met is not. What is a bound or absent is left out of the question.
  [[nodiscard]] bool is_met() const;
};

/// How exactly the measures of one strategy are known by its replications so far.
void add_known(const Precision& asked, std::size_t strategy, const Summaries& total,
               std::vector<KnownTo>& known);

/// Where the next look is: half as many replications again, rounded up, and at most `most`. Looks lie far
/// apart because each is a chance to stop on a spread that is small by luck: with ten replications at the
/// least and looks at 10, 15, 23, 35, ... the intervals at the stop hold the true mean in 93 % of cases or
/// more (tests/validation/coverage_test.cpp), without a correction. Y. S. Chow, H. Robbins, On the asymptotic
/// theory of fixed-width sequential confidence intervals for the mean, 1965.
[[nodiscard]] std::size_t next_look(std::size_t replications, std::size_t most);

}  // namespace stockout
