#pragma once

#include "models/workload/arrivals/arrivals.h"

namespace stockout {

/// Batches of jobs at fixed times.
class ScheduleCursor final : public JobCursor {
 public:
  ScheduleCursor(const SyntheticDemand& demand, SourceId source, RandomStreams random)
      : demand_{demand},
        schedule_{std::get<ScheduledArrivals>(demand.arrivals)},
        source_{source},
        random_{random} {}
  std::size_t next(std::span<Job> batch) override;

 private:
  const SyntheticDemand& demand_;
  const ScheduledArrivals& schedule_;
  SourceId source_;
  RandomStreams random_;
  std::uint64_t row_ = 0;
};

}  // namespace stockout
