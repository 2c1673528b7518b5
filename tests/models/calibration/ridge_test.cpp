// The regression behind a calibration.

#include <catch2/catch.hpp>

#include "models/calibration/ridge.h"
#include "sim/random/draw.h"

using namespace stockout;

namespace {

// Uniform numbers of mean 0 and spread 1.
Eigen::MatrixXd noise(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Draw draw{seed, 0, Purpose::design, 0, 0};
  Eigen::MatrixXd made{rows, columns};
  for (double& value : made.reshaped()) value = (uniform01(draw) - 0.5) * std::sqrt(12.0);
  return made;
}

}  // namespace

TEST_CASE("A linear law without noise is found, and said to be all", "[calibration]") {
  const Eigen::MatrixXd figures = noise(60, 3, 1);
  const Eigen::MatrixXd targets = (2 * figures.col(0) - figures.col(2)).array() + 5;
  const RidgeFit fit = fit_ridge(figures, targets, Eigen::Vector3d{1, 9, 1});
  CHECK(fit.predicted(0) == Approx(6).epsilon(1e-6));
  CHECK(fit.explained(0) == Approx(1).epsilon(1e-6));
}

TEST_CASE("No row has a part in its own prediction", "[calibration]") {
  const Eigen::MatrixXd figures = noise(40, 3, 2);
  const Eigen::MatrixXd targets = figures.col(0) + 0.3 * noise(40, 1, 3);
  Eigen::MatrixXd other = targets;
  other(7, 0) += 100;
  const RidgeFit fit = fit_ridge(figures, targets, Eigen::Vector3d::Zero());
  const RidgeFit changed = fit_ridge(figures, other, Eigen::Vector3d::Zero());
  CHECK(changed.crossed(7, 0) == fit.crossed(7, 0));
  CHECK(changed.crossed(8, 0) != fit.crossed(8, 0));
}

TEST_CASE("Figures of mere luck explain nothing", "[calibration]") {
  const RidgeFit fit = fit_ridge(noise(200, 40, 4), noise(200, 1, 5), Eigen::VectorXd::Zero(40));
  CHECK(fit.explained(0) < 0.05);
  CHECK(fit.explained(0) > -0.1);
  // Nor do the predictions follow, or avoid, what they are to predict: a correlation of 200 pairs of mere
  // luck has a spread of 0.07.
  const Eigen::VectorXd truth = noise(200, 1, 5);
  const Eigen::VectorXd apart = fit.crossed.col(0).array() - fit.crossed.col(0).mean();
  if (apart.norm() > 0) CHECK(std::abs(apart.dot(truth) / (apart.norm() * truth.norm())) < 0.25);
}
