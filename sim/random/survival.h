#pragma once

#include <vector>

#include "sim/core/time.h"

namespace stockout {

/// A length that was seen, to its end or not.
struct SeenLength {
  SimDuration length{};
  bool ended = true;  // false: it was looked at no longer, and went on for an unknown time
};

/// How much of what was seen has ended by which age. What never was seen to end lives for ever.
class SurvivalCurve {
 public:
  /// The product-limit estimate: of those still looked at just before an age, the share that ends there goes.
  /// Lengths of the same age end before they are lost from sight. (E. L. Kaplan, P. Meier, Nonparametric
  /// estimation from incomplete observations, 1958.) At least one length.
  explicit SurvivalCurve(std::vector<SeenLength> seen);

  /// The share that lives for ever.
  [[nodiscard]] double survivors() const { return ended_.empty() ? 1.0 : 1.0 - ended_.back(); }

  /// The age by which more than a share `u` of all, from 0 to 1, has ended; kForever for survivors.
  [[nodiscard]] SimDuration age(double u) const;

  /// The mean of lengths cut to `most`, in milliseconds.
  [[nodiscard]] double mean_ms(SimDuration most) const;

  friend bool operator==(const SurvivalCurve&, const SurvivalCurve&) = default;

 private:
  std::vector<SimDuration> ages_;  // rising, at which something ended
  std::vector<double> ended_;      // by that age
};

}  // namespace stockout
