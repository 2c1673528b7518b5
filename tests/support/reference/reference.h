#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/billing/usage.h"
#include "models/record/run_record.h"
#include "models/world/world.h"

namespace stockout::reference {

/// What became of one recorded job. The fields mean what JobOutcome's mean (models/record/run_record.h).
struct ReferenceJob {
  FinalState state = FinalState::unfinished;
  std::size_t leg = 0;
  SimTime released{};
  SimTime first_grant = kNever;
  SimTime finished{};
  SimDuration start_delay{};
  SimDuration leased{};
  SimDuration lost{};
  std::int64_t preemptions = 0;
  friend bool operator==(const ReferenceJob&, const ReferenceJob&) = default;
};

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
  friend auto operator<=>(const ReferenceLease&, const ReferenceLease&) = default;
};

/// Machine-milliseconds of one hour.
struct ReferenceHour {
  std::int64_t used = 0;
  std::int64_t billed = 0;
  friend bool operator==(const ReferenceHour&, const ReferenceHour&) = default;
};

/// All usage under one key: hour by hour (hours without use are left out), and where the GPU-time went.
struct ReferenceUsage {
  std::map<std::int64_t, ReferenceHour> hours;
  std::int64_t useful = 0;
  std::int64_t redone = 0;
  std::int64_t overhead = 0;
  std::int64_t unused = 0;
  std::int64_t idle = 0;
  friend bool operator==(const ReferenceUsage&, const ReferenceUsage&) = default;
};

/// What ClassTotals (models/record/run_record.h) says of one class of leases on one pool.
struct ReferenceClassTotals {
  std::int64_t requests = 0;
  std::int64_t grants = 0;
  std::int64_t refusals = 0;
  std::int64_t withdrawn = 0;
  std::int64_t preemptions = 0;
  std::int64_t faults = 0;
  std::int64_t leased = 0;
  std::int64_t leased_by_tenants = 0;
  friend bool operator==(const ReferenceClassTotals&, const ReferenceClassTotals&) = default;
};

/// The books of one pool, of what PoolTotals says.
struct ReferencePool {
  std::int64_t capacity = 0;
  std::int64_t leased = 0;
  std::int64_t shortage = 0;
  std::int64_t phantom_waiting = 0;
  std::int64_t phantom_leased = 0;
  std::int64_t host_free = 0;
  std::int64_t host_stranded = 0;
  std::int64_t misfits = 0;
  std::array<ReferenceClassTotals, kLeaseClasses> classes{};
  friend bool operator==(const ReferencePool&, const ReferencePool&) = default;
};

/// Everything the reference tells about a run.
struct ReferenceResult {
  std::vector<ReferenceJob> jobs;      // recorded jobs, in order of (submit, source, row)
  std::vector<ReferenceLease> leases;  // of recorded jobs, sorted
  std::map<UsageKey, ReferenceUsage> usage;
  std::vector<ReferencePool> pools;
  SimTime end{};
  SimTime hold_end{};
  std::map<std::string, std::int64_t>
      happened;  // how often each notable thing happened: for judging test coverage
};

/// The second implementation of models/simulation/README.md, written for obviousness: plain lists, at every
/// step a look at everything. For worlds of a handful of jobs. Shares no code with models/simulation or
/// sim/engine.
[[nodiscard]] ReferenceResult reference_simulate(const World& world, std::size_t strategy,
                                                 std::uint64_t replication);

}  // namespace stockout::reference
