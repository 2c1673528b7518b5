#include "sim/stats/controlled.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <boost/math/distributions/students_t.hpp>

#include "sim/core/check.h"

namespace stockout {
namespace {

using Column = Eigen::Matrix<double, kMostControls, 1>;
using Square = Eigen::Matrix<double, kMostControls, kMostControls>;

auto column_of(const ControlMoments::Vector& values) { return Eigen::Map<const Column>(values.data()); }

// Controls of which one follows from the others to this share of its variance count as fewer.
constexpr double kDependent = 1e-9;

// What regression leaves of the squares is rounding below this share of them.
constexpr double kAllExplained = 1e-12;

// The controls as uncorrelated components: of each the sum of squares, the mean, and the sum of products with
// the observation.
struct Component {
  double squares = 0;
  double mean = 0;
  double cross = 0;
};

std::vector<Component> components_of(const ControlMoments& controls, const ControlMoments::Vector& cross) {
  const Eigen::Map<const Square> products{controls.products().data()};
  Column scale = products.diagonal().cwiseSqrt();
  for (double& size : scale) size = size > 0 ? 1 / size : 0;
  const Square correlation = scale.asDiagonal() * products * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Square> solver{correlation};
  std::vector<Component> components;
  for (Eigen::Index i = 0; i < correlation.rows(); ++i) {
    const double squares = solver.eigenvalues()[i];
    if (squares <= kDependent) continue;
    const Column direction = solver.eigenvectors().col(i).cwiseProduct(scale);
    components.push_back({.squares = squares,
                          .mean = direction.dot(column_of(controls.mean())),
                          .cross = direction.dot(column_of(cross))});
  }
  return components;
}

}  // namespace

ControlMoments::Vector ControlMoments::add(const Surplus& surplus) {
  const Column value = column_of(surplus);
  Eigen::Map<Column> mean{mean_.data()};
  Vector distance{};
  Eigen::Map<Column> from_mean{distance.data()};
  ++count_;
  from_mean = value - mean;
  mean += from_mean / static_cast<double>(count_);
  Eigen::Map<Square>{products_.data()} += from_mean * (value - mean).transpose();
  return distance;
}

void add_cross(ControlMoments::Vector& cross, const ControlMoments::Vector& distance, double factor) {
  Eigen::Map<Column>{cross.data()} += column_of(distance) * factor;
}

Estimate adjust(const RunningEstimate& plain, const ControlMoments& controls,
                const ControlMoments::Vector& cross, double confidence) {
  Estimate estimate = plain.result(confidence);
  if (plain.count() < kLeastControlled || plain.count() != controls.count()) return estimate;
  if (*estimate.half_width == 0) return estimate;
  const auto n = static_cast<double>(plain.count());
  double left = plain.squares();
  double spread = 1 / n;
  const std::vector<Component> components = components_of(controls, cross);
  for (const Component& component : components) {
    estimate.mean -= component.cross / component.squares * component.mean;
    left -= component.cross * component.cross / component.squares;
    spread += component.mean * component.mean / component.squares;
  }
  if (left <= kAllExplained * plain.squares()) {
    estimate.half_width = 0;
    return estimate;
  }
  const double freedom = n - 1 - static_cast<double>(components.size());
  const double t = boost::math::quantile(boost::math::students_t(freedom), 0.5 + confidence / 2);
  estimate.half_width = t * std::sqrt(left / freedom * spread);
  return estimate;
}

Estimate adjusted_difference(std::span<const double> a, std::span<const double> b,
                             std::span<const Surplus> surplus, double confidence) {
  STOCKOUT_CHECK(a.size() == b.size() && a.size() == surplus.size());
  RunningEstimate plain;
  ControlMoments controls;
  ControlMoments::Vector cross{};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = a[i] - b[i];
    const ControlMoments::Vector distance = controls.add(surplus[i]);
    plain.add(difference, std::max(std::abs(a[i]), std::abs(b[i])));
    add_cross(cross, distance, difference - plain.mean());
  }
  return adjust(plain, controls, cross, confidence);
}

}  // namespace stockout
