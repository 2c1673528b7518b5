#include "models/calibration/weighted_worlds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Core>
#include <Eigen/QR>

#include "models/calibration/ridge.h"
#include "sim/core/check.h"
#include "sim/stats/weighted_quantile.h"

namespace stockout {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNearest = 0.25;  // of the worlds
constexpr std::size_t kFewestNear = 60;
constexpr std::size_t kMostNear = 400;

// The figures of the worlds as columns of mean 0 and spread 1; those that say nothing are left out.
struct FigureTable {
  MatrixXd drawn;
  VectorXd observed;
};

FigureTable tabulate(const DrawnWorlds& drawn, const std::vector<double>& observed) {
  const auto rows = static_cast<Index>(drawn.size());
  std::vector<VectorXd> columns;
  std::vector<double> asked;
  for (std::size_t figure = 0; figure < observed.size(); ++figure) {
    if (!std::isfinite(observed[figure])) continue;
    VectorXd column{rows};
    double sum = 0;
    Index known = 0;
    for (Index i = 0; i < rows; ++i) {
      column(i) = drawn.figures[static_cast<std::size_t>(i)][figure];
      if (!std::isfinite(column(i))) continue;
      sum += column(i);
      ++known;
    }
    if (known == 0) continue;
    const double mean = sum / static_cast<double>(known);
    for (double& value : column) {
      if (!std::isfinite(value)) value = mean;
    }
    const double spread = std::sqrt((column.array() - column.mean()).square().mean());
    if (spread < 1e-9) continue;
    asked.push_back((std::clamp(observed[figure], column.minCoeff(), column.maxCoeff()) - column.mean()) /
                    spread);
    columns.emplace_back((column.array() - column.mean()) / spread);
  }
  FigureTable table{.drawn = MatrixXd{rows, static_cast<Index>(columns.size())},
                    .observed = Eigen::Map<VectorXd>{asked.data(), static_cast<Index>(asked.size())}};
  for (std::size_t i = 0; i < columns.size(); ++i) table.drawn.col(static_cast<Index>(i)) = columns[i];
  return table;
}

double logit(double share) {
  const double inner = std::clamp(share, 1e-4, 1 - 1e-4);
  return std::log(inner / (1 - inner));
}

// What is predicted of each world: a range's share as a logit within the box; of choices, whether each but
// the last is made.
struct TargetColumns {
  MatrixXd values;
  std::vector<std::size_t> unknown;  // by column
};

TargetColumns targets_of(const std::vector<Unknown>& unknown, const WorldBox& box,
                         const std::vector<WorldShares>& worlds) {
  TargetColumns targets;
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const std::size_t columns = unknown[i].range ? 1 : unknown[i].choices.size() - 1;
    targets.unknown.insert(targets.unknown.end(), columns, i);
  }
  targets.values = MatrixXd{static_cast<Index>(worlds.size()), static_cast<Index>(targets.unknown.size())};
  for (std::size_t row = 0; row < worlds.size(); ++row) {
    Index column = 0;
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      const auto at = static_cast<Index>(row);
      if (unknown[i].range) {
        targets.values(at, column++) =
            logit((unknown[i].settled(worlds[row][i]) - box[i].low) / box[i].width());
        continue;
      }
      const std::size_t made = unknown[i].choice_at(worlds[row][i]);
      for (std::size_t choice = 0; choice + 1 < unknown[i].choices.size(); ++choice)
        targets.values(at, column++) = choice == made ? 1 : 0;
    }
  }
  return targets;
}

// What a linear law of the unknowns and their squares can say of each figure: 0 to 1. The rest is luck.
VectorXd told_by_unknowns(const MatrixXd& targets, const MatrixXd& figures) {
  MatrixXd design{targets.rows(), 2 * targets.cols()};
  design << targets, targets.array().square().matrix();
  for (Index i = 0; i < design.cols(); ++i) {
    const double spread = std::sqrt((design.col(i).array() - design.col(i).mean()).square().mean());
    design.col(i) /= std::max(spread, 1e-9);
  }
  return fit_ridge(design, figures, VectorXd::Zero(design.cols())).explained.cwiseMax(0.01);
}

// How unlike the history each world is: the distance of its figures, each in units of its spread over the
// worlds, and counted by how much the unknowns say of it. Figures of mere luck hide what is alike.
VectorXd unlikeness(const FigureTable& table, const MatrixXd& targets) {
  const VectorXd told = told_by_unknowns(targets, table.drawn);
  const MatrixXd apart = table.drawn.rowwise() - table.observed.transpose();
  return (apart.array().square().matrix() * told).array().sqrt();
}

// The nearest worlds, in their order, with weights that fall to 0 at the next one.
void take_nearest(const VectorXd& distances, WeightedWorlds& worlds) {
  const auto count = static_cast<std::size_t>(distances.size());
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return distances(static_cast<Index>(i)); });
  const auto asked = static_cast<std::size_t>(kNearest * static_cast<double>(count));
  const std::size_t taken = std::min(std::clamp(asked, kFewestNear, kMostNear), count - 1);
  const double beyond = std::max(distances(static_cast<Index>(order[taken])), 1e-12);
  worlds.draws.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(taken));
  std::ranges::sort(worlds.draws);
  double total = 0;
  for (const std::size_t draw : worlds.draws) {
    const double ratio = distances(static_cast<Index>(draw)) / beyond;
    worlds.weights.push_back(std::max(1 - ratio * ratio, 1e-6));
    total += worlds.weights.back();
  }
  for (double& weight : worlds.weights) weight /= total;
}

// How much each target changes along each offset, near the history.
MatrixXd local_slopes(const MatrixXd& offsets, const MatrixXd& targets, const WeightedWorlds& worlds) {
  const auto rows = static_cast<Index>(worlds.size());
  MatrixXd design{rows, offsets.cols() + 1};
  MatrixXd wanted{rows, targets.cols()};
  for (Index i = 0; i < rows; ++i) {
    const auto draw = static_cast<Index>(worlds.draws[static_cast<std::size_t>(i)]);
    const double root = std::sqrt(worlds.weights[static_cast<std::size_t>(i)]);
    design(i, 0) = root;
    design.row(i).tail(offsets.cols()) = root * offsets.row(draw);
    wanted.row(i) = root * targets.row(draw);
  }
  const MatrixXd found = design.colPivHouseholderQr().solve(wanted);
  return found.bottomRows(offsets.cols());
}

// How far the predictions of each world are from those of the history. A history unlike any world is
// predicted to lie where no world does: it counts as the outermost of the nearest ones.
MatrixXd offsets_of(const RidgeFit& fit, const WeightedWorlds& worlds) {
  VectorXd predicted = fit.predicted;
  for (Index i = 0; i < predicted.size(); ++i) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const std::size_t draw : worlds.draws) {
      low = std::min(low, fit.crossed(static_cast<Index>(draw), i));
      high = std::max(high, fit.crossed(static_cast<Index>(draw), i));
    }
    predicted(i) = std::clamp(predicted(i), low, high);
  }
  return fit.crossed.rowwise() - predicted.transpose();
}

double from_logit(double value) { return 1 / (1 + std::exp(-value)); }

void move_to_history(const std::vector<Unknown>& unknown, const WorldBox& box, const TargetColumns& targets,
                     const MatrixXd& offsets, const DrawnWorlds& drawn, WeightedWorlds& worlds) {
  const bool enough = worlds.size() >= 5 * static_cast<std::size_t>(offsets.cols() + 1);
  const MatrixXd slopes = enough ? local_slopes(offsets, targets.values, worlds)
                                 : MatrixXd::Zero(offsets.cols(), targets.values.cols());
  for (const std::size_t draw : worlds.draws) {
    const auto row = static_cast<Index>(draw);
    const Eigen::RowVectorXd moved = targets.values.row(row) - offsets.row(row) * slopes;
    WorldShares& shares = worlds.shares.emplace_back(drawn.shares[draw]);
    for (Index column = 0; column < moved.size(); ++column) {
      const std::size_t i = targets.unknown[static_cast<std::size_t>(column)];
      if (!unknown[i].range) continue;
      shares[i] = std::min(box[i].low + box[i].width() * from_logit(moved(column)), 1 - 1e-12);
      STOCKOUT_CHECK(shares[i] >= 0);  // and a number
    }
  }
}

}  // namespace

double WeightedWorlds::quantile(std::size_t unknown, double weight) const {
  WeightedValues<double> values;
  for (std::size_t i = 0; i < size(); ++i) values.emplace_back(shares[i][unknown], weights[i]);
  return weighted_quantile(std::move(values), weight);
}

std::vector<double> WeightedWorlds::choice_weights(const Unknown& unknown, std::size_t place) const {
  std::vector<double> by_choice(unknown.choices.size());
  for (std::size_t i = 0; i < size(); ++i) by_choice[unknown.choice_at(shares[i][place])] += weights[i];
  return by_choice;
}

double WeightedWorlds::correlation(std::size_t one, std::size_t other) const {
  double mean_one = 0;
  double mean_other = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    mean_one += weights[i] * shares[i][one];
    mean_other += weights[i] * shares[i][other];
  }
  double both = 0;
  double square_one = 0;
  double square_other = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const double a = shares[i][one] - mean_one;
    const double b = shares[i][other] - mean_other;
    both += weights[i] * a * b;
    square_one += weights[i] * a * a;
    square_other += weights[i] * b * b;
  }
  const double scale = std::sqrt(square_one * square_other);
  return scale > 1e-15 ? both / scale : 0;
}

WeightedWorlds weigh_worlds(const std::vector<Unknown>& unknown, const WorldBox& box,
                            const DrawnWorlds& drawn, const std::vector<double>& observed) {
  STOCKOUT_CHECK(drawn.size() >= 20 && drawn.figures.size() == drawn.size());
  const FigureTable table = tabulate(drawn, observed);
  const TargetColumns targets = targets_of(unknown, box, drawn.shares);
  WeightedWorlds worlds;
  if (table.drawn.cols() == 0) {  // the history says nothing
    take_nearest(VectorXd::Zero(table.drawn.rows()), worlds);
    for (const std::size_t draw : worlds.draws) worlds.shares.push_back(drawn.shares[draw]);
    return worlds;
  }
  take_nearest(unlikeness(table, targets.values), worlds);
  const RidgeFit fit = fit_ridge(table.drawn, targets.values, table.observed);
  move_to_history(unknown, box, targets, offsets_of(fit, worlds), drawn, worlds);
  return worlds;
}

}  // namespace stockout
