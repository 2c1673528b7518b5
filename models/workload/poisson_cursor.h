#pragma once

#include "models/workload/arrivals.h"

namespace stockout {

/// A non-homogeneous Poisson process by thinning (Lewis and Shedler 1979): candidates come at the peak rate,
/// and candidate n is kept with the intensity of its hour. Rows number candidates, so the gap before one, and
/// what it asks for, do not depend on which others are kept.
class PoissonCursor final : public JobCursor {
 public:
  PoissonCursor(const SyntheticDemand& demand, SourceId source, Dice dice);
  std::size_t next(std::span<Job> batch) override;

 private:
  [[nodiscard]] bool is_kept(std::uint64_t row, SimTime at) const;

  const SyntheticDemand& demand_;
  const PoissonArrivals& arrivals_;
  SourceId source_;
  Dice dice_;
  double clock_ms_ = 0;  // since `from`; a sum of doubles, so that gaps far below a millisecond count
  std::uint64_t row_ = 0;
};

}  // namespace stockout
