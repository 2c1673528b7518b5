#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/history/job_troubles.h"
#include "models/history/run_history.h"
#include "models/record/run_record.h"
#include "models/simulation/simulate.h"
#include "models/workload/jobs.h"
#include "models/world/world.h"

namespace stockout {

/// A track of a timeline: 0 is where jobs without a lease wait, 1 + PoolId a pool.
using TrackNumber = std::uint32_t;
[[nodiscard]] constexpr TrackNumber track_of(PoolId pool) {
  return 1 + static_cast<TrackNumber>(index(pool));
}
inline constexpr TrackNumber kWaitingTrack = 0;

/// A job that is drawn.
struct TimelineJob {
  std::uint64_t number = 0;  // in the run record
  Job job{};
  JobOutcome outcome{};
  JobTroubles troubles{};                    // those from Timeline::from on
  std::vector<std::uint64_t> gave_way_to{};  // numbers of the jobs for which it was evicted, in order of time
};

/// State of a job for some time. A lease is up to three of these, one behind the other.
struct TimelineSlice {
  enum class Kind : std::uint8_t {
    held_back,  // by its pipeline or group: submitted, not released
    waiting,    // released, no lease
    start_up,   // of a lease: until its work begins
    run,        // of a lease: work, but for what was lost
    lost,       // of a lease: so long is the work that was lost; drawn at its end
  };
  Kind kind{};
  bool preempted = false;  // the lease was preempted at its end, or ended by a fault
  bool fault = false;
  std::uint8_t leg = 0;       // of a lease
  std::uint32_t attempt = 0;  // of a lease
  std::size_t job = 0;        // place in Timeline::jobs
  TrackNumber track = kWaitingTrack;
  std::uint32_t lane = 0;
  SimTime begin{};
  SimTime end{};    // after begin
  GpuCount gpus{};  // of a lease: what it has at its end
};

/// Event of a job at one time.
struct TimelineMoment {
  enum class Kind : std::uint8_t {
    preempted,  // its lease was preempted, or `count` machines of a partial one
    fault,
    refused,  // a stock-out: `count` times since it last had a lease, up to `last`
    expired,  // a request in a queue: the same
    over,     // it is final, or the run ends, and it is not completed; or nothing else is drawn of it
  };
  Kind kind{};
  std::size_t job = 0;  // place in Timeline::jobs
  TrackNumber track = kWaitingTrack;
  std::optional<std::uint32_t> lane;  // none: of the whole track
  SimTime at{};
  SimTime last{};
  std::int64_t count = 1;
  GpuCount gpus{};
};

/// One run to look at. What is drawn is whole: every slice and moment, from `from` on, of every job up to
/// some number; jobs are numbered in order of submission. So, up to where the first job that is left out
/// comes, nothing of the recorded jobs is missing. Levels (`history`) are of the whole run and of everybody.
struct Timeline {
  SimTime from{};
  std::vector<TimelineJob> jobs;      // those drawn, by number
  std::vector<TimelineSlice> slices;  // a job behind the other
  std::vector<TimelineMoment> moments;
  std::vector<std::uint32_t> lanes;  // by track
  RunHistory history;
  std::uint64_t jobs_of_run = 0;
  std::uint64_t over_before = 0;  // jobs that were final before `from`
  std::optional<std::uint64_t>
      left_out;           // number of the first job that is not drawn, nor are those behind it
  SimTime left_out_at{};  // when it is submitted
};

struct TimelineOptions {
  std::size_t most = 200'000;  // slices and moments
  SimTime from = kStart;       // what was over before is not drawn
};

/// Course of one job in a run.
struct JobTrail {
  struct Trouble {
    PoolChange first;  // its count: how often it happened
    SimTime last{};
  };
  std::vector<LeaseRow> leases;   // in order of ends
  std::vector<Trouble> troubles;  // in order of their first time
};

/// Gathers a timeline during one run. Memory is bounded by TimelineOptions::most.
class TimelineBook {
 public:
  /// `world` outlives the book.
  TimelineBook(const World& world, const TimelineOptions& options);

  /// Adds this to what `logs` tell whom already. The book stays where it is until the run is over.
  void listen(Logs& logs);

  /// After the run, which was of that replication.
  [[nodiscard]] Timeline finish(std::uint64_t replication, const RunRecord& record);

 private:
  void add(const LeaseRow& lease);
  void add(const PoolChange& change);
  void add_trouble(JobTrail& trail, const PoolChange& change);
  void drop_last_jobs();

  const World& world_;
  TimelineOptions options_;
  HistoryBook history_;
  std::map<std::uint64_t, JobTrail> trails_;  // by job; of those below first_dropped_
  std::size_t kept_ = 0;                      // leases and troubles in trails_
  std::uint64_t first_dropped_ = ~std::uint64_t{0};
};

}  // namespace stockout
