#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/record/run_record.h"
#include "models/simulation/agenda.h"
#include "models/simulation/area.h"
#include "models/simulation/run_state.h"
#include "models/simulation/simulate.h"
#include "models/world/world.h"

namespace stockout {

/// What a lease that is over leaves behind.
struct Closed {
  TimeSplit split;
  SimDuration lost;
  SimTime running;  // work began; now, if it never did
};

/// Writes down what happens: the run record with its ledger and fingerprint, the optional logs, and counters
/// that are compared with those of others at the end. One verb a fact; nobody else writes any of these, but
/// the books, who tell the log of pools what is leased. Facts are of now.
class Recorder {
 public:
  /// All three outlive it.
  Recorder(const World& world, const Logs& logs, const Agenda& agenda);

  // Jobs.

  /// A job has come. One that `is_recorded` gets its row.
  void job_came(JobState& job, bool is_recorded);
  /// It begins to ask.
  void job_released(const JobState& job);
  /// It has a lease, and had none; or it has none any more.
  void job_leases(const JobState& job) const { tell(job, JobChange::What::leasing); }
  void job_leases_no_more(const JobState& job) const { tell(job, JobChange::What::waiting); }
  void job_final(JobSlot slot, const JobState& job, FinalState state);
  /// Recorded jobs that are not final.
  [[nodiscard]] std::uint64_t open_jobs() const { return open_jobs_; }

  // Requests, of a job each.

  void opened(const Request& request, const JobState& job);
  /// Granted, refused or withdrawn; or the run ends.
  void closed(const Request& request, const JobState& job);
  void refused(const Request& request, const JobState& job);
  /// Its time is over.
  void expired(const Request& request, const JobState& job) const;
  void granted(const JobState& job, PoolId pool);
  /// A tenant's request is still open when the run ends.
  void waits_at_end(const Request& request, const JobState& job) const;

  /// Requests that were opened so far.
  [[nodiscard]] std::uint64_t requests() const { return requests_opened_; }

  // Leases.

  /// A partial lease has got so many machines more; or has lost some, and so many GPUs are left to it.
  void gang_grew(LeaseSlot lease, std::int64_t machines) { mark(0x12, index(lease), magnitude(machines)); }
  void gang_shrank(LeaseSlot lease, GpuCount left) { mark(0x21, index(lease), magnitude(left.count())); }
  /// The lease ends since it was taken back, or machines of it with so many GPUs do.
  void interrupted(const Lease& lease, Interruption why, GpuCount gpus, const JobState& job) const;
  /// Machines of a price line that were up from `from` until now; a tenant's are billed to nobody.
  void bill(const Lease& lease, BilledLine line, MachineCount machines, SimTime from, const JobState& job);
  /// `closed.split` is where its GPU-time went.
  void lease_over(const Lease& lease, const Closed& closed, const JobState& job);

  // Held pools.

  /// Machines of its landlord are the pool's: machine `number`, from 1 on, of an elastic pool; all of
  /// another's.
  void machines_granted(PoolId held, std::uint64_t number = 0) { mark(0x11, number, index(held)); }
  void machines_refused(const HeldPool& held, LeaseClass lease_class, GpuCount gpus) const;
  void booking_refused(PoolId held) { mark(0x12, 0, index(held)); }
  /// Machines that it paid for from `from` to `to`.
  void held_paid(const HeldPool& held, MachineCount machines, SimTime from, SimTime to);
  /// In all `idle`; its jobs, tenants apart, leased `leased`.
  void held_used(const HeldPool& held, GpuTime leased, GpuTime idle);
  /// When the machines of the next held pool of the world came.
  void held_came(SimTime since) { record_.held_since.push_back(since); }
  /// Until when held capacity is paid for; known when the run ends.
  [[nodiscard]] SimTime hold_end() const;

  /// A random number mattered.
  void note_draw() { record_.drew = true; }

  /// The run is over: `ended` requests were granted, refused, withdrawn or open at the end, as others
  /// counted.
  [[nodiscard]] RunRecord finish(std::uint64_t ended, std::vector<PoolTotals> pools);

 private:
  static std::uint64_t magnitude(std::int64_t count) { return static_cast<std::uint64_t>(count); }
  // One number for the whole history: each event is mixed into it in order (constants of splitmix64).
  void mark(std::uint64_t what, std::uint64_t who, std::uint64_t where) {
    std::uint64_t x = record_.fingerprint ^ static_cast<std::uint64_t>(now().time_since_epoch().count());
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL + who;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL + (where << 8 | what);
    record_.fingerprint = x ^ (x >> 31);
  }
  [[nodiscard]] SimTime now() const { return agenda_.now(); }
  void tell(const JobState& job, JobChange::What what) const {
    if (logs_.on_job && job.record != kNotRecorded) tell_job(job, what);
  }
  void tell_job(const JobState& job, JobChange::What what) const;
  void tell(const Request& request, const JobState& job, PoolChange::What what, std::int64_t more) const {
    if (logs_.on_pool) tell_pool(request, job, what, more);
  }
  void tell_pool(const Request& request, const JobState& job, PoolChange::What what, std::int64_t more) const;
  void tell_lease(const Lease& lease, const Closed& closed, const JobState& job) const;
  void book_use(const Lease& lease, const TimeSplit& split, const JobState& job);
  void settle_kept(JobSlot slot, FinalState state);
  void set_outcome(const JobState& job, FinalState state);

  // Work of a job on a lease that ended before the job was done.
  struct Kept {
    UsageKey key;
    GpuTime time;
  };

  const World& world_;
  const Logs& logs_;
  const Agenda& agenda_;
  RunRecord record_;
  SimTime last_start_ = kStart;
  MachineTime rounding_{};  // of the billing rule, added up by leases
  std::uint64_t open_jobs_ = 0;
  Area in_system_;                      // open recorded jobs
  std::int64_t time_in_system_ms_ = 0;  // the same, added up by the jobs
  std::uint64_t requests_opened_ = 0;
  std::uint64_t requests_closed_ = 0;
  std::unordered_map<JobSlot, std::vector<Kept>> kept_;  // of use if the job is completed
};

}  // namespace stockout
