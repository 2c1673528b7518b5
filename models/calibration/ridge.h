#pragma once

#include <Eigen/Core>

namespace stockout {

/// Means of some targets, given figures: a linear regression whose coefficients are shrunk (A. E. Hoerl, R.
/// W. Kennard, 1970) by as much as predicts best when each row is left out in turn, for each target by
/// itself. Rows are predicted from other rows only, in five parts: a regression knows its own rows too well,
/// and one for each row knows what it left out.
struct RidgeFit {
  Eigen::MatrixXd crossed;    // by row and target: predicted from the four parts that do not hold the row
  Eigen::VectorXd predicted;  // by target: for the figures asked about, the mean of the five
  Eigen::VectorXd explained;  // by target: 1 less the squared error of `crossed` over the variance
};

/// `figures`: a row a draw, in random order, and a column a figure; `targets`: as many rows; `asked`: one row
/// of figures. At least ten rows.
[[nodiscard]] RidgeFit fit_ridge(const Eigen::MatrixXd& figures, const Eigen::MatrixXd& targets,
                                 const Eigen::VectorXd& asked);

}  // namespace stockout
