#include "sim/random/bathtub.h"

#include <algorithm>
#include <cmath>

namespace stockout {

double Bathtub::ended_by(double ms) const {
  const double early = std::exp(-ms / early_ms);
  const double late = std::exp((ms - at_ms) / late_ms) - std::exp(-at_ms / late_ms);
  return std::min(1.0, share * (1 - early + late));
}

// F grows with age, so that halving finds it. At the upper end the late ends alone are 1 / A.
double Bathtub::age_ms(double u) const {
  constexpr int kHalvings = 60;
  double low = 0;
  double high = std::max(0.0, at_ms + late_ms * std::log(1 / share + std::exp(-at_ms / late_ms)));
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (ended_by(middle) < u ? low : high) = middle;
  }
  return high;
}

double Bathtub::mean_below_ms(double bound_ms) const {
  const double end = std::min(bound_ms, age_ms(1));
  const double at_start = std::exp(-at_ms / late_ms);
  const double early = early_ms * -std::expm1(-end / early_ms);
  const double late = late_ms * (std::exp((end - at_ms) / late_ms) - at_start);
  return end * (1 - share * (1 - at_start)) + share * (early - late);
}

}  // namespace stockout
