#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/time.h"
#include "sim/random/bathtub.h"
#include "sim/random/draw.h"
#include "sim/random/survival.h"

namespace stockout {

struct WeightedLaw;

/// A point of a quantile function: a share of all is no longer than `length`.
struct Quantile {
  double share = 0;  // 0 to 1
  SimDuration length{};
  friend bool operator==(const Quantile&, const Quantile&) = default;
};

/// The law of a random length of time. Parameters are checked by the reader.
struct Law {
  enum class Kind : std::uint8_t {
    constant,
    uniform,
    exponential,
    lognormal,
    weibull,
    pareto,     // P(X > x) = (least / x)^shape from the least on; with a greatest, given that X is below it
    mixture,    // one of several laws, drawn by weight
    empirical,  // by points of the quantile function; between two points ln X is uniform (X, from 0)
    bathtub,    // many end early, the rest late (bathtub.h)
    survival,   // lengths that were seen, some not to their end (survival.h)
  };

  Kind kind = Kind::constant;
  SimDuration a{};  // constant: the value; uniform, pareto: the least; exponential: the mean; lognormal: the
                    // median; weibull: the scale; bathtub: the time scale of early ends
  SimDuration
      b{};  // uniform: the greatest; pareto: the greatest, or 0: none; bathtub: the time scale of late ends
  double sigma =
      0.0;  // lognormal: standard deviation of the logarithm; weibull, pareto: the shape; bathtub: the share
  SimDuration most = kForever;                                  // a draw beyond it becomes it
  std::shared_ptr<const std::vector<WeightedLaw>> parts = {};   // mixture: at least one, none a mixture
  std::shared_ptr<const std::vector<Quantile>> quantiles = {};  // empirical: from share 0 to share 1, rising
  std::shared_ptr<const SurvivalCurve> curve = {};              // survival
  SimDuration late{};  // bathtub: the age around which late ends come

  /// Whether sample() needs a draw at all.
  [[nodiscard]] bool is_random() const { return kind != Kind::constant; }

  /// Rounded to the nearest millisecond, never negative.
  [[nodiscard]] SimDuration sample(Draw& draw) const;

  /// The value of a constant law, which needs no draw.
  [[nodiscard]] SimDuration constant() const { return a < most ? a : most; }

  /// The mean without regard to `most`, in milliseconds (lognormal: median * exp(sigma^2 / 2),
  /// weibull: scale * Gamma(1 + 1 / shape), pareto: least * shape / (shape - 1), infinite for a shape of
  /// at most 1 without a greatest).
  [[nodiscard]] double mean_ms() const { return mean_below_ms(kForever); }

  /// E min(X, bound), `most` not taken into account, in milliseconds. Closed forms, each derived as
  /// the integral of P(X > x) from 0 to the bound; kForever: the mean. Who lives for ever on a survival curve
  /// counts with kLongestRun at most.
  [[nodiscard]] double mean_below_ms(SimDuration bound) const;

  /// The parameters of a bathtub law.
  [[nodiscard]] Bathtub bathtub() const;

  /// Whether both are the same law, wherever their tables lie.
  friend bool operator==(const Law& a, const Law& b);
};

/// A part of a mixture.
struct WeightedLaw {
  double weight = 1;  // above 0; shares of the sum
  Law law;
  friend bool operator==(const WeightedLaw&, const WeightedLaw&) = default;
};

}  // namespace stockout
