#pragma once

#include <unordered_map>
#include <vector>

#include "models/billing/usage.h"
#include "models/record/run_record.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/run_state.h"
#include "models/world/world.h"

namespace stockout {

/// Meters the machines of recorded jobs and of held pools: under which price they were up, from when to when,
/// and where their GPU-time went. A tenant's are billed to nobody.
class Meter {
 public:
  /// Both outlive it.
  Meter(const World& world, const Agenda& agenda);

  /// The machines of a lease, not a partial one, come up at `lease.up`.
  void start(const Lease& lease, const JobState& job);
  /// They go now; if they were never up they are billed nothing. A partial lease's machines go one by one.
  void stop(const Lease& lease, const JobState& job);
  /// One machine of a partial lease that was up from `from` until now.
  void bill_machine(const Lease& lease, SimTime from, const JobState& job);
  /// Where the GPU-time of a lease that is over went: all of it under the first of its parts.
  void book(const Lease& lease, const TimeSplit& split, const JobState& job);
  /// Work kept on earlier leases was of use if the job got done.
  void job_final(JobSlot slot, FinalState state) {
    if (!kept_.empty()) settle_kept(slot, state);
  }

  /// The same for whoever knows the series: machines that are up from `up` on, ...
  [[nodiscard]] UsageLedger::Series series(UsageKey key) { return usage_.series(key); }
  void start(UsageLedger::Series series, MachineCount machines, SimTime up) {
    usage_.come(series, machines, up);
  }
  /// ... until now, ...
  void stop(UsageLedger::Series series, MachineCount machines, SimTime up) {
    const MachineTime rounding = rounding_of(machines, up);
    usage_.go(series, machines, agenda_.now(), rounding);
    rounding_ += rounding;
  }
  /// ... and where their GPU-time went.
  void book(UsageLedger::Series series, const TimeSplit& split) { usage_.add_split(series, split); }

  /// Machines that a held pool paid for from `from` to `to`.
  void held_paid(const HeldPool& held, MachineCount machines, SimTime from, SimTime to);
  /// In all `idle`; its jobs, tenants apart, leased `leased`.
  void held_used(const HeldPool& held, GpuTime leased, GpuTime idle);

  /// The run is over: puts what was metered into its record. Throws InvariantError if what is billed on top
  /// of use is not what the billing rule rounded up.
  void finish(RunRecord& record);

 private:
  // Work of a job on a lease that ended before the job was done.
  struct Kept {
    UsageKey key;
    GpuTime time;
  };

  [[nodiscard]] MachineTime rounding_of(MachineCount machines, SimTime up) const {
    const SimDuration used = agenda_.now() - up;
    return machines * (world_.billing.billed(used) - used);
  }
  void settle_kept(JobSlot slot, FinalState state);

  const World& world_;
  const Agenda& agenda_;
  UsageLedger usage_;
  UsageLedger phantom_;
  MachineTime rounding_{};                               // of the billing rule, added up
  std::unordered_map<JobSlot, std::vector<Kept>> kept_;  // of use if the job is completed
};

}  // namespace stockout
