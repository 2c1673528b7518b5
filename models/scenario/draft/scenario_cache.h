#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "models/workload/jobs.h"
#include "models/workload/trace.h"

namespace stockout {

/// Files and tables that many scenarios share which differ in little, kept once: a sweep builds thousands.
/// May be used from several threads. A file is read once: what changes on the disk later is not seen.
class ScenarioCache {
 public:
  /// Traces that are kept; one more, and that which was not asked for longest goes.
  static constexpr std::size_t kMostTraces = 16;

  /// The trace as read_trace() gives it. Throws what that throws.
  [[nodiscard]] std::shared_ptr<const Trace> trace(const std::string& path, TraceFormat format,
                                                   const TraceOptions& options);

  /// Columns equal to these: those of an earlier scenario that is still alive, else these.
  [[nodiscard]] std::shared_ptr<const JobColumns> shared(std::shared_ptr<const JobColumns> columns);

  /// Held while a workload is made out of traces, so that there is at most one set of columns that is not
  /// shared yet.
  [[nodiscard]] std::unique_lock<std::mutex> lock_building() { return std::unique_lock{building_}; }

 private:
  struct Kept {
    std::string path;
    TraceFormat format = TraceFormat::csv;
    TraceOptions options;
    std::shared_ptr<const Trace> trace;
  };

  std::mutex building_;
  std::mutex mutex_;        // of the rest
  std::list<Kept> traces_;  // that asked for last first
  std::vector<std::weak_ptr<const JobColumns>> columns_;
};

}  // namespace stockout
