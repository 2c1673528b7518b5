#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/record/run_record.h"
#include "models/workload/trace.h"
#include "models/world/world.h"
#include "sim/core/ids.h"
#include "sim/core/time.h"
#include "sim/stats/interval.h"

namespace stockout {

/// Figure of the waits of some jobs. A wait lasts from when the job may ask to when it first works, start-up
/// included, as clusters record it; means and quantiles are over the jobs that started.
enum class WaitFigure : std::uint8_t {
  started,  // jobs
  mean_h,
  p50_h,  // as summarize_lengths() has quantiles
  p90_h,
  p95_h,
  never_started,  // jobs
  refused,        // of these, those that were refused ...
  expired,        // ... and those whose time to wait was over
};
inline constexpr std::size_t kWaitFigures = 8;

/// By WaitFigure; nothing where no job tells.
using WaitFigures = std::array<std::optional<double>, kWaitFigures>;

/// The same over replications: their mean, and a half-width where there are several.
using WaitEstimates = std::array<std::optional<Estimate>, kWaitFigures>;

/// From when a job may ask to its first work; nothing if there was none. A job that was granted machines and
/// lost them before they were up has not started.
[[nodiscard]] std::optional<SimDuration> wait_to_work(const JobOutcome& outcome);

/// Of one record: by class, and of all its jobs.
struct GroupedWaits {
  std::map<std::string, WaitFigures> by_class;
  WaitFigures all{};
};

/// Jobs of one class. A side that has none of them has no figures.
struct WaitsSideBySide {
  std::string job_class;   // empty: all jobs
  WaitEstimates recorded;  // never with half-widths
  WaitEstimates simulated;
  WaitEstimates difference;  // simulated less recorded, job by job; only where jobs are matched
};

/// A trace whose jobs are a source of a world: moved in time, and otherwise as they are.
struct SameJobs {
  SourceId source{};
  std::int64_t shift_ms = 0;  // added to the trace's times
};

/// Which jobs are compared, where the recorded ones are simulated themselves.
struct JobMatch {
  std::uint64_t matched = 0;        // the recorded wait is known
  std::uint64_t wait_unknown = 0;   // simulated, but the record does not tell its wait
  std::uint64_t not_simulated = 0;  // recorded with a wait, but outside the window
  std::uint64_t others = 0;         // simulated jobs of other sources, in replication 0
};

struct WaitsAgainst {
  std::vector<WaitsSideBySide> classes;  // by name; empty where there are fewer than two
  WaitsSideBySide all{};
  std::size_t replications = 0;
  std::optional<JobMatch> match;  // none: classes are compared, of other jobs
};

/// Sets the waits of simulated runs beside recorded ones: of the same jobs where the trace is a source of the
/// world, and then by the world's classes; else by the names of classes that both have. Runs may come from
/// any thread and in any order; the same bits for the same runs.
class WaitsAgainstBook {
 public:
  /// Both must outlive the book. `same`: the trace is that source.
  WaitsAgainstBook(const World& world, const Trace& recorded, const std::optional<SameJobs>& same);

  /// Each replication once, of one strategy.
  void add(std::uint64_t replication, const RunRecord& record);

  /// After all runs, at least one.
  [[nodiscard]] WaitsAgainst result() const;

 private:
  struct Run {
    GroupedWaits simulated;
    GroupedWaits difference;
  };

  /// The place of a simulated job in the trace, if it is one of its jobs.
  [[nodiscard]] const std::size_t* place_of(const Job& job) const;
  /// Its recorded wait; nothing if that is not known.
  [[nodiscard]] std::optional<SimDuration> recorded_wait(std::size_t place) const;
  [[nodiscard]] GroupedWaits recorded_by_name() const;
  [[nodiscard]] GroupedWaits recorded_of_matched();

  const World& world_;
  const Trace& trace_;
  std::optional<SameJobs> same_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // of matched traces: by row
  JobMatch match_;
  GroupedWaits recorded_;
  mutable std::mutex mutex_;  // of runs_
  std::map<std::uint64_t, Run> runs_;
};

}  // namespace stockout
