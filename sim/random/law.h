#pragma once

#include <cstdint>

#include "sim/core/time.h"
#include "sim/random/draw.h"

namespace stockout {

/// The law of a random length of time. Parameters are checked by the reader.
struct Law {
  enum class Kind : std::uint8_t { constant, uniform, exponential, lognormal, weibull };

  Kind kind = Kind::constant;
  SimDuration a{};  // constant: the value; uniform: the least; exponential: the mean; lognormal: the median;
                    // weibull: the scale
  SimDuration b{};  // uniform: the greatest
  double sigma = 0.0;           // lognormal: standard deviation of the logarithm; weibull: the shape
  SimDuration most = kForever;  // a draw beyond it becomes it

  /// Whether sample() needs a draw at all.
  [[nodiscard]] bool is_random() const { return kind != Kind::constant; }

  /// Rounded to the nearest millisecond, never negative.
  [[nodiscard]] SimDuration sample(Draw& draw) const;

  /// The value of a constant law, which needs no draw.
  [[nodiscard]] SimDuration constant() const { return a < most ? a : most; }

  /// The mean without regard to `most`, in milliseconds (lognormal: median * exp(sigma^2 / 2),
  /// weibull: scale * Gamma(1 + 1 / shape)).
  [[nodiscard]] double mean_ms() const;
};

}  // namespace stockout
