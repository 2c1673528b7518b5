#include "models/calibration/ridge.h"

#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/SVD>

#include "sim/core/check.h"

namespace stockout {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

constexpr Index kCrossParts = 5;

// Figures around their means, along their singular vectors.
struct SplitFigures {
  explicit SplitFigures(const MatrixXd& figures)
      : means{figures.colwise().mean()},
        svd{figures.rowwise() - means, Eigen::ComputeThinU | Eigen::ComputeThinV} {}

  RowVectorXd means;
  Eigen::BDCSVD<MatrixXd> svd;
};

// Coefficients for one target: those of the penalty under which each row is predicted best by the others.
VectorXd coefficients(const SplitFigures& split, const VectorXd& centred) {
  const MatrixXd& left = split.svd.matrixU();
  const ArrayXd singular = split.svd.singularValues();
  const ArrayXd squares = singular.square();
  const ArrayXd along = left.transpose() * centred;
  const double largest = std::max(squares.maxCoeff(), 1e-12);
  const auto error = [&](const ArrayXd& kept) {
    const ArrayXd leverage =
        (left.array().square().matrix() * kept.matrix()).array() + 1.0 / static_cast<double>(centred.size());
    const ArrayXd residual = centred.array() - (left * (kept * along).matrix()).array();
    return (residual / (1.0 - leverage).max(1e-9)).square().mean();
  };
  ArrayXd best = ArrayXd::Zero(squares.size());
  double least = std::numeric_limits<double>::infinity();
  for (int step = 0; step <= 24; ++step) {
    const double penalty = largest * std::pow(10.0, 2.0 - 0.5 * step);
    const double here = error(squares / (squares + penalty));
    if (here >= least) continue;
    least = here;
    best = singular / (squares + penalty);
  }
  return split.svd.matrixV() * (best * along).matrix();
}

MatrixXd rows_of(const MatrixXd& all, const std::vector<Index>& rows) {
  MatrixXd some{static_cast<Index>(rows.size()), all.cols()};
  for (std::size_t i = 0; i < rows.size(); ++i) some.row(static_cast<Index>(i)) = all.row(rows[i]);
  return some;
}

}  // namespace

RidgeFit fit_ridge(const MatrixXd& figures, const MatrixXd& targets, const VectorXd& asked) {
  STOCKOUT_CHECK(figures.rows() >= 2 * kCrossParts && figures.rows() == targets.rows());
  STOCKOUT_CHECK(figures.cols() == asked.size());
  RidgeFit fit{.crossed = MatrixXd{targets.rows(), targets.cols()},
               .predicted = VectorXd::Zero(targets.cols()),
               .explained = VectorXd{targets.cols()}};
  for (Index part = 0; part < kCrossParts; ++part) {
    std::vector<Index> others;
    for (Index row = 0; row < figures.rows(); ++row) {
      if (row % kCrossParts != part) others.push_back(row);
    }
    const SplitFigures split{rows_of(figures, others)};
    const MatrixXd wanted = rows_of(targets, others);
    for (Index i = 0; i < targets.cols(); ++i) {
      const double mean = wanted.col(i).mean();
      const VectorXd found = coefficients(split, wanted.col(i).array() - mean);
      fit.predicted(i) +=
          (mean + (asked.transpose() - split.means).dot(found)) / static_cast<double>(kCrossParts);
      for (Index row = part; row < figures.rows(); row += kCrossParts)
        fit.crossed(row, i) = mean + (figures.row(row) - split.means).dot(found);
    }
  }
  for (Index i = 0; i < targets.cols(); ++i) {
    const double variance = (targets.col(i).array() - targets.col(i).mean()).square().mean();
    const double error = (targets.col(i) - fit.crossed.col(i)).array().square().mean();
    fit.explained(i) = variance > 0 ? 1 - error / variance : 0;
  }
  return fit;
}

}  // namespace stockout
