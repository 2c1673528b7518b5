#include "models/calibration/ridge.h"

#include <cmath>
#include <limits>

#include <Eigen/SVD>

#include "sim/core/check.h"

namespace stockout {
namespace {

// The regression of one target by a penalty, through the singular values of the centred figures.
class RidgePath {
 public:
  RidgePath(const Eigen::MatrixXd& left, const Eigen::VectorXd& singular, const Eigen::VectorXd& target)
      : left_{left},
        squares_{singular.array().square()},
        mean_{target.mean()},
        centred_{target.array() - target.mean()},
        along_{left.transpose() * centred_} {}

  // What each row is predicted to be by the others: exact for a penalty that stays as it is.
  [[nodiscard]] Eigen::VectorXd left_out(double penalty) const {
    const Eigen::ArrayXd kept = squares_ / (squares_ + penalty);
    const Eigen::VectorXd fitted = left_ * (kept * along_.array()).matrix();
    const Eigen::ArrayXd leverage = (left_.array().square().matrix() * kept.matrix()).array() +
                                    1.0 / static_cast<double>(centred_.size());
    const Eigen::ArrayXd residual = (centred_ - fitted).array() / (1.0 - leverage).max(1e-9);
    return (mean_ + centred_.array() - residual).matrix();
  }

  [[nodiscard]] double error(double penalty) const {
    return (left_out(penalty).array() - mean_ - centred_.array()).square().mean();
  }

  [[nodiscard]] double best_penalty() const {
    const double largest = squares_.size() > 0 ? squares_.maxCoeff() : 1.0;
    double best = largest;
    double least = std::numeric_limits<double>::infinity();
    for (int step = 0; step <= 24; ++step) {
      const double penalty = largest * std::pow(10.0, 2.0 - 0.5 * step);
      const double here = error(penalty);
      if (here >= least) continue;
      least = here;
      best = penalty;
    }
    return best;
  }

  // `along_right`: the asked figures along the right singular vectors, over the singular values squared.
  [[nodiscard]] double predict(const Eigen::VectorXd& projected, const Eigen::VectorXd& singular,
                               double penalty) const {
    const Eigen::ArrayXd gain = singular.array() / (squares_ + penalty);
    return mean_ + (gain * along_.array() * projected.array()).sum();
  }

  [[nodiscard]] double variance() const { return centred_.array().square().mean(); }

 private:
  const Eigen::MatrixXd& left_;
  Eigen::ArrayXd squares_;
  double mean_;
  Eigen::VectorXd centred_;
  Eigen::VectorXd along_;
};

}  // namespace

RidgeFit fit_ridge(const Eigen::MatrixXd& figures, const Eigen::MatrixXd& targets,
                   const Eigen::VectorXd& asked) {
  STOCKOUT_CHECK(figures.rows() >= 3 && figures.rows() == targets.rows() && figures.cols() == asked.size());
  const Eigen::RowVectorXd means = figures.colwise().mean();
  const Eigen::BDCSVD<Eigen::MatrixXd> split{figures.rowwise() - means,
                                             Eigen::ComputeThinU | Eigen::ComputeThinV};
  const Eigen::VectorXd projected = split.matrixV().transpose() * (asked - means.transpose());
  RidgeFit fit{.left_out = Eigen::MatrixXd{targets.rows(), targets.cols()},
               .predicted = Eigen::VectorXd{targets.cols()},
               .explained = Eigen::VectorXd{targets.cols()}};
  for (Eigen::Index i = 0; i < targets.cols(); ++i) {
    const RidgePath path{split.matrixU(), split.singularValues(), targets.col(i)};
    const double penalty = path.best_penalty();
    fit.left_out.col(i) = path.left_out(penalty);
    fit.predicted(i) = path.predict(projected, split.singularValues(), penalty);
    fit.explained(i) = path.variance() > 0 ? 1 - path.error(penalty) / path.variance() : 0;
  }
  return fit;
}

}  // namespace stockout
