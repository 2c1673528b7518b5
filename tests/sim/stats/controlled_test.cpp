// Control variates: regression on what is known.

#include <cmath>
#include <vector>

#include <boost/math/distributions/students_t.hpp>
#include <catch2/catch.hpp>

#include "sim/stats/controlled.h"

using namespace stockout;

namespace {

// One control: how much more of it was drawn than expected, in ten observations.
const std::vector<double> kDrawn{-2, -1, 0, 1, 2, 3, -3, 0, 1, 4};
// 10 + 2 x drawn + what the control says nothing of.
const std::vector<double> kObserved{6.5, 7.5, 10.5, 11.5, 14.5, 15.5, 4.5, 9.5, 12.5, 17.5};

std::vector<Surplus> one_control(const std::vector<double>& drawn) {
  std::vector<Surplus> surplus;
  for (const double value : drawn) surplus.push_back({value});
  return surplus;
}

Estimate adjusted(const std::vector<double>& observed, const std::vector<Surplus>& surplus) {
  return adjusted_difference(observed, std::vector<double>(observed.size(), 0.0), surplus);
}

}  // namespace

// Least squares by hand: mean drawn 0.5, sum of squares 45 - 10 x 0.25 = 42.5; mean observed 11, products
// 135.5 - 55 = 80.5, so the slope is 80.5 / 42.5 and the mean at a surplus of 0 is 11 - 0.5 x 80.5 / 42.5.
// Squares of the observed: 1364.5 - 1210 = 154.5, of which 80.5^2 / 42.5 is explained.
TEST_CASE("A mean is adjusted by regression, with a degree of freedom less for a control", "[stats]") {
  const Estimate estimate = adjusted(kObserved, one_control(kDrawn));
  CHECK(estimate.mean == Approx(11 - 0.5 * 80.5 / 42.5));
  const double left = 154.5 - 80.5 * 80.5 / 42.5;
  const double t = boost::math::quantile(boost::math::students_t(8), 0.975);
  REQUIRE(estimate.half_width);
  CHECK(*estimate.half_width == Approx(t * std::sqrt(left / 8 * (0.1 + 0.25 / 42.5))));
  CHECK(estimate.count == 10);
}

TEST_CASE("Controls that say the same count once", "[stats]") {
  std::vector<Surplus> twice;
  for (const double value : kDrawn) twice.push_back({value, 3 * value});
  const Estimate estimate = adjusted(kObserved, twice);
  const Estimate once = adjusted(kObserved, one_control(kDrawn));
  CHECK(estimate.mean == Approx(once.mean));
  CHECK(*estimate.half_width == Approx(*once.half_width));
}

TEST_CASE("What follows from the controls alone has no noise left", "[stats]") {
  std::vector<double> observed;
  for (const double value : kDrawn) observed.push_back(640 * (1 + value / 100));
  std::vector<Surplus> surplus;
  for (const double value : kDrawn) surplus.push_back({value / 100});
  const Estimate estimate = adjusted(observed, surplus);
  CHECK(estimate.mean == Approx(640));
  CHECK(*estimate.half_width == 0);
}

TEST_CASE("Without controls that vary, and with few observations, nothing is adjusted", "[stats]") {
  const Estimate plain = estimate(kObserved);
  const Estimate constant = adjusted(kObserved, one_control(std::vector<double>(10, 0.25)));
  CHECK(constant.mean == Approx(plain.mean));
  CHECK(*constant.half_width == Approx(*plain.half_width));
  const std::vector<double> nine{kObserved.begin(), kObserved.end() - 1};
  const std::vector<double> drawn{kDrawn.begin(), kDrawn.end() - 1};
  CHECK(adjusted(nine, one_control(drawn)).mean == Approx(estimate(nine).mean));
}
