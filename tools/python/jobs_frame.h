#pragma once

#include "models/experiment/run_observer.h"
#include "models/history/job_troubles.h"
#include "models/workload/trace.h"
#include "tools/python/frame.h"

namespace stockout {

/// Gathers the record of each job of one run as columns: those of `stockout run --jobs-out`, of the same
/// numbers.
class JobsFrame : public RunObserver {
 public:
  /// The world outlives this.
  explicit JobsFrame(const World& world) : world_{world} {}

  void begin(const RunPlace& /*run*/, Logs& logs) override { troubles_.listen(logs); }
  void end(const RunPlace& run, const RunRecord& record, const Measures& measures) override;

  /// After the run.
  [[nodiscard]] Frame take() { return std::move(frame_); }

 private:
  const World& world_;
  JobTroublesBook troubles_;
  Frame frame_;
};

/// The jobs of a trace, those columns that it has. Points in time count from the UNIX epoch or from the
/// file's own zero.
[[nodiscard]] Frame trace_frame(const Trace& trace);

}  // namespace stockout
