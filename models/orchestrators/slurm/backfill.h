#pragma once

#include <optional>
#include <vector>

#include "models/orchestrators/slurm/cluster.h"
#include "models/orchestrators/slurm/future_start.h"
#include "models/orchestrators/slurm/launcher.h"
#include "models/orchestrators/slurm/openings.h"
#include "models/orchestrators/slurm/plan.h"

namespace stockout::slurm {

/// The plugin sched/backfill. A cycle plans from nothing: each job of the queue in its order gets the
/// earliest time at which it can have its nodes, and starts if that is now. Else those nodes are promised to
/// it as a whole, and nobody behind it may count on them. The plan is forgotten after the cycle, which
/// therefore is over once nobody who waits could start.
class BackfillScheduler {
 public:
  BackfillScheduler(Cluster& cluster, Launcher& launcher)
      : cluster_{cluster}, launcher_{launcher}, openings_{cluster}, future_{cluster} {}

  /// Whether there was anybody to plan for.
  bool cycle();

 private:
  enum class Outcome : std::uint8_t { started, reserved, refused, plan_is_full };
  // What the search for a start knows.
  struct Search {
    QueueRecord record;
    SimDuration limit{};
    bool now_only = false;
    SimTime from{};                // not before
    std::optional<SimTime> later;  // where to look next
    NodeSet all;                   // of the partition that may be used
    NodeSet nodes;                 // of those: promised to nobody for as long as the job would run from there
    const Start* start = nullptr;  // on those
    SimTime at{};                  // when: not before `from`
  };

  void plan_from(SimTime now);
  [[nodiscard]] bool tries_on() const;
  [[nodiscard]] Outcome try_record(const QueueRecord& record);
  [[nodiscard]] bool reserves(const QueueRecord& record) const;
  // Sets `nodes`, or leaves too few of them, and `later` for a start at `from`.
  void look_from(Search& search) const;
  // Whether there is a start; else the search goes on at `later`, if there is one.
  [[nodiscard]] bool find_start(Search& search);
  [[nodiscard]] bool clashes(Search& search) const;
  [[nodiscard]] Outcome settle_on(Search& search);
  [[nodiscard]] Outcome reserve(const Search& search);
  [[nodiscard]] bool is_refused_array(const QueueRecord& record) const;
  void follow_array(const QueueRecord& record, Outcome outcome);

  Cluster& cluster_;
  Launcher& launcher_;
  Openings openings_;
  FutureStart future_;
  std::optional<Plan> plan_;
  int tested_ = 0;
  int started_ = 0;
  std::vector<int> reserved_;  // by partition
  std::optional<QueueRecord> refused_array_;
  std::optional<std::pair<JobId, int>> array_reservations_;  // of the array that was last tried
  std::optional<JobId> claimed_;  // victims in this cycle: it is not tried in its other partitions
};

}  // namespace stockout::slurm
