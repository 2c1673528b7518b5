#include "models/theory/breakdowns.h"

#include <cmath>

#include <boost/math/distributions/binomial.hpp>

#include "sim/core/check.h"

namespace stockout {

std::vector<double> machines_down(int machines, double life, double repair) {
  STOCKOUT_CHECK(machines >= 0);
  STOCKOUT_CHECK(std::isfinite(life) && life > 0);
  STOCKOUT_CHECK(std::isfinite(repair) && repair >= 0);
  const boost::math::binomial_distribution<double> law{static_cast<double>(machines),
                                                       repair / (life + repair)};
  std::vector<double> shares;
  for (int k = 0; k <= machines; ++k) shares.push_back(boost::math::pdf(law, k));
  return shares;
}

}  // namespace stockout
