#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/billing/usage.h"
#include "models/record/run_record.h"
#include "models/world/world.h"

namespace stockout::reference {

/// One lease of a recorded job, as LeaseRow tells it.
struct ReferenceLease {
  std::uint64_t job = 0;
  std::int64_t attempt = 0;
  std::size_t leg = 0;
  std::size_t pool = 0;
  std::int64_t gpus = 0;
  SimTime granted{};
  SimTime running{};
  SimTime ended{};
  SimDuration lost{};
  bool preempted = false;
  bool expired = false;
  friend auto operator<=>(const ReferenceLease&, const ReferenceLease&) = default;
};

/// All usage under one key: hour by hour, and where the GPU-time went.
struct ReferenceUsage {
  std::map<std::int64_t, UsageHour> hours;
  TimeSplit split;  // without completed
};

/// Everything the reference tells about a run, in the words of the run record where it has them.
struct ReferenceResult {
  std::vector<JobOutcome> jobs;        // recorded jobs, in order of (submit, source, row)
  std::vector<ReferenceLease> leases;  // of recorded jobs, sorted
  std::map<UsageKey, ReferenceUsage> usage;
  std::vector<PoolTotals> pools;  // without peak_waiting and censored_grants
  SetTotals sets;
  SimTime end{};
  SimTime hold_end{};
  Evictions evictions;
  std::map<std::string, KueueQueueTotals> kueue_queues;
  std::vector<GaveWay> gave_way;
  std::map<std::string, std::int64_t>
      happened;  // how often each notable thing happened: for judging test coverage
};

/// The second implementation of models/simulation/README.md, written for obviousness: plain lists, at every
/// step a look at everything. For worlds of a handful of jobs. Shares no code with models/simulation or
/// sim/engine.
[[nodiscard]] ReferenceResult reference_simulate(const World& world, std::size_t strategy,
                                                 std::uint64_t replication);

}  // namespace stockout::reference
