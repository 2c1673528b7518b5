#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "models/measures/measure_table.h"
#include "sim/stats/controlled.h"
#include "sim/stats/interval.h"

namespace stockout {

/// A measure over the replications of one strategy.
struct Summary {
  double mean = 0;                   // over the replications in which there is one; of a sum: over all
  std::optional<double> half_width;  // of the 95 % interval; none with fewer than two, and none for a bound
  Value::Known known = Value::Known::absent;
  std::size_t replications = 0;  // in which there is one

  [[nodiscard]] bool is_absent() const { return known == Value::Known::absent; }
};

/// One Summary of each measure.
class Summaries {
 public:
  Summary& operator[](Measure measure) { return summaries_[static_cast<std::size_t>(measure)]; }
  const Summary& operator[](Measure measure) const { return summaries_[static_cast<std::size_t>(measure)]; }

 private:
  std::array<Summary, kMeasures> summaries_{};
};

/// Each measure over replications that come one after another: the mean of what is there (of a sum only if
/// all of them have it, see MeasureKind), a bound from below if any of it is one. Memory does not grow with
/// the replications; the same bits for the same order.
///
/// With controls, each measure that has an exact value in every replication is adjusted by them; but shares,
/// which have bounds that a regression does not know of, and bounds from below are not.
class RunningSummaries {
 public:
  /// `surplus`: what the replication's controls are more than expected. All replications have controls or
  /// none.
  void add(const Values& values, const Surplus* surplus = nullptr);
  [[nodiscard]] Summaries result() const;

 private:
  struct Running {
    RunningEstimate mean;
    Value::Known known = Value::Known::absent;
  };
  void add_controls(const Values& values, const Surplus& surplus);
  [[nodiscard]] Estimate estimate_of(std::size_t measure) const;
  [[nodiscard]] bool has_mean(Measure measure) const;

  std::size_t replications_ = 0;
  std::array<Running, kMeasures> running_{};
  ControlMoments controls_;
  std::vector<ControlMoments::Vector> cross_;  // by Measure; empty without controls
};

}  // namespace stockout
