#pragma once

#include "models/workload/arrivals/arrivals.h"

namespace stockout {

/// The rows of a trace as they are.
class TraceCursor final : public JobCursor {
 public:
  TraceCursor(const TraceDemand& demand, SourceId source) : jobs_{*demand.jobs}, source_{source} {}
  std::size_t next(std::span<Job> batch) override;

 private:
  const JobColumns& jobs_;
  SourceId source_;
  std::size_t at_ = 0;
};

/// A moving-block bootstrap of a trace (see Resample). Rows are numbered in the order in which they come.
class ResampleCursor final : public JobCursor {
 public:
  ResampleCursor(const TraceDemand& demand, SourceId source, RandomStreams random);
  std::size_t next(std::span<Job> batch) override;

  /// Where the job that came last stands in the columns of the trace.
  [[nodiscard]] std::size_t last_place() const { return at_ - 1; }

 private:
  void open_block();

  const JobColumns& jobs_;
  Resample rule_;
  SourceId source_;
  RandomStreams random_;
  SimDuration ring_{};        // length of the trace, in whole steps
  std::uint64_t steps_ = 1;   // the same in steps
  std::uint64_t block_ = 0;   // number of the block being read
  SimDuration block_from_{};  // where in the ring it begins
  std::size_t at_ = 0;        // next row of the trace
  SimDuration turn_{};        // ring_ for each time the block has passed the ring's end
  std::uint64_t row_ = 0;
};

}  // namespace stockout
