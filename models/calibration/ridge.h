#pragma once

#include <Eigen/Core>

namespace stockout {

/// What some targets are on average, given figures: a linear regression whose coefficients are shrunk (A. E.
/// Hoerl, R. W. Kennard, 1970) by as much as predicts best when each row is left out in turn, for each target
/// by itself.
struct RidgeFit {
  Eigen::MatrixXd left_out;   // by row and target: predicted from the other rows
  Eigen::VectorXd predicted;  // by target: for the figures asked about
  Eigen::VectorXd explained;  // by target: 1 less the squared error of `left_out` over the variance
};

/// `figures`: a row a draw, and a column a figure, none constant; `targets`: as many rows; `asked`: one row
/// of figures. At least three rows.
[[nodiscard]] RidgeFit fit_ridge(const Eigen::MatrixXd& figures, const Eigen::MatrixXd& targets,
                                 const Eigen::VectorXd& asked);

}  // namespace stockout
