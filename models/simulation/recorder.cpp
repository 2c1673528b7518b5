#include "models/simulation/recorder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "models/simulation/ledger_checks.h"

namespace stockout {
namespace {

UsageLedger empty_ledger(const World& world) {
  return UsageLedger{world.price_lines.size(), world.users.size(), world.classes.size()};
}

bool is_random(const Pool& pool) {
  return std::ranges::any_of(pool.capacity, [](const auto& source) { return source.chain != nullptr; });
}

bool is_random(const Source& source) {
  if (source.tenants.size() > 1) return true;
  if (const auto* trace = std::get_if<TraceDemand>(&source.demand)) {
    return trace->resampled || !trace->factor.is_one();
  }
  const auto& synthetic = std::get<SyntheticDemand>(source.demand);
  return std::holds_alternative<PoissonArrivals>(synthetic.arrivals) || synthetic.work.is_random() ||
         synthetic.max_wait.is_random() || synthetic.shapes.size() > 1 || !synthetic.factor.is_one();
}

}  // namespace

Recorder::Recorder(const World& world, const Logs& logs, const Agenda& agenda)
    : world_{world}, logs_{logs}, agenda_{agenda} {
  record_.jobs = JobRecord{world.begin};
  record_.usage = empty_ledger(world);
  record_.phantom = empty_ledger(world);
  for (const Source& source : world.sources) record_.drew = record_.drew || is_random(source);
  for (const Pool& pool : world.pools) record_.drew = record_.drew || is_random(pool);
}

void Recorder::job_came(JobState& job, bool is_recorded) {
  ++record_.arrivals;
  if (!is_recorded) return;
  job.record = record_.jobs.add();
  ++open_jobs_;
}

void Recorder::job_released(const JobState& job) {
  if (job.record != kNotRecorded) in_system_.add(1, now());
  tell(job, JobChange::What::released);
}

void Recorder::job_final(JobSlot slot, const JobState& job, FinalState state) {
  if (job.record != kNotRecorded) set_outcome(job, state);
  if (!kept_.empty()) settle_kept(slot, state);
}

// Work kept on earlier leases was of use if the job got done.
void Recorder::settle_kept(JobSlot slot, FinalState state) {
  const auto kept = kept_.extract(slot);
  if (kept.empty() || state != FinalState::completed) return;
  for (const Kept& part : kept.mapped()) {
    TimeSplit split;
    split.completed = part.time;
    record_.usage.add_split(part.key, split);
  }
}

void Recorder::set_outcome(const JobState& job, FinalState state) {
  mark(static_cast<std::uint64_t>(state), job.job.row, job.leg);
  SimTime released = job.released;
  if (job.is_released) {
    tell(job, JobChange::What::over);
  } else {  // its group never let it go
    released = now();
    in_system_.add(1, now());
  }
  const SimTime ran = job.first_running == kNever ? now() : job.first_running;
  record_.jobs.set(job.record, {.state = state,
                                .leg = job.leg,
                                .released = released,
                                .first_grant = job.first_grant,
                                .finished = now(),
                                .start_delay = job.ever_granted ? ran - job.first_grant : SimDuration::zero(),
                                .leased = job.leased,
                                .lost = job.lost,
                                .preemptions = job.preemptions});
  --open_jobs_;
  in_system_.add(-1, now());
  time_in_system_ms_ += (now() - released).count();
}

void Recorder::opened(const Request& request, const JobState& job) {
  ++requests_opened_;
  if (request.waiting) tell(request, job, PoolChange::What::waiting, 1);
}

void Recorder::closed(const Request& request, const JobState& job) {
  ++requests_closed_;
  if (request.waiting) tell(request, job, PoolChange::What::waiting, -1);
}

void Recorder::refused(const Request& request, const JobState& job) {
  mark(0x30, job.job.row, index(request.candidate->pool));
  tell(request, job, PoolChange::What::refused, 1);
}

void Recorder::expired(const Request& request, const JobState& job) const {
  tell(request, job, PoolChange::What::expired, 1);
}

void Recorder::granted(const JobState& job, PoolId pool) {
  if (job.record != kNotRecorded && !job.ever_granted) last_start_ = now();
  mark(0x10, job.job.row, index(pool));
}

void Recorder::waits_at_end(const Request& request, const JobState& job) const {
  if (job.record != kNotRecorded || !logs_.on_tenant) return;
  const Candidate& asked = *request.candidate;
  logs_.on_tenant({.pool = asked.pool, .gpus = asked.gpus, .from = job.job.submit, .until = now()});
}

void Recorder::bill(const Lease& lease, BilledLine line, MachineCount machines, SimTime from,
                    const JobState& job) {
  if (from >= now() || job.record == kNotRecorded) return;
  const UsageKey key{.line = line.value(), .user = job.job.user, .job_class = job.job.job_class};
  const SimDuration used = now() - from;
  const MachineTime rounding = machines * (world_.billing.billed(used) - used);
  record_.usage.add(key, machines, from, now(), rounding);
  if (lease.interrupted == Interruption::lost_race) record_.phantom.add(key, machines, from, now(), rounding);
  rounding_ += rounding;
}

// All of the time is booked under the first of the lease's parts.
void Recorder::book_use(const Lease& lease, const TimeSplit& split, const JobState& job) {
  bool is_first = true;
  for (const Part& part : lease.candidate->parts) {
    if (part.machines == 0) continue;
    if (lease.partial == kNoGang) bill(lease, part.line, MachineCount{part.machines}, lease.up, job);
    if (!std::exchange(is_first, false)) continue;
    const UsageKey key{.line = part.line.value(), .user = job.job.user, .job_class = job.job.job_class};
    record_.usage.add_split(key, split);
    if (split.completed < split.useful) kept_[lease.job].push_back({.key = key, .time = split.useful});
  }
}

void Recorder::lease_over(const Lease& lease, const Closed& closed, const JobState& job) {
  mark(0x20, job.job.row, index(lease.pool));
  if (job.record != kNotRecorded) {
    book_use(lease, closed.split, job);
    if (logs_.on_lease) tell_lease(lease, closed, job);
  } else if (logs_.on_tenant) {
    logs_.on_tenant({.pool = lease.pool, .gpus = lease.gpus, .from = job.job.submit, .until = now()});
  }
}

void Recorder::held_paid(const HeldPool& held, MachineCount machines, SimTime from, SimTime to) {
  const SimDuration paid = to - from;
  const MachineTime rounding = machines * (world_.billing.billed(paid) - paid);
  record_.usage.add({.line = held.line}, machines, from, to, rounding);
  rounding_ += rounding;
}

void Recorder::held_used(const HeldPool& held, GpuTime leased, GpuTime idle) {
  check_sublet(record_.usage, held.sublet, leased);
  record_.usage.add_split({.line = held.line}, {.idle = idle});
}

SimTime Recorder::hold_end() const {
  return world_.hold_end == HoldEnd::last_start ? last_start_ : std::max(now(), kStart);
}

void Recorder::tell_job(const JobState& job, JobChange::What what) const {
  logs_.on_job({.what = what, .job = job.record, .at = now()});
}

void Recorder::tell_pool(const Request& request, const JobState& job, PoolChange::What what,
                         std::int64_t more) const {
  const bool is_tenant = job.record == kNotRecorded;
  logs_.on_pool({.what = what,
                 .pool = request.candidate->pool,
                 .at = now(),
                 .holder = is_tenant ? Holder::tenant : Holder::job,
                 .lease_class = request.leg->policy.lease_class,
                 .job = is_tenant ? 0 : job.record,
                 .count = more,
                 .gpus = request.candidate->gpus * more});
}

void Recorder::tell_lease(const Lease& lease, const Closed& closed, const JobState& job) const {
  logs_.on_lease(
      {.job = job.record,
       .attempt = job.attempt,
       .leg = job.leg,
       .pool = lease.pool,
       .gpus = lease.gpus,
       .granted = lease.granted,
       .running = closed.running,
       .ended = now(),
       .lost = closed.lost,
       .preempted = lease.interrupted == Interruption::preempted || lease.interrupted == Interruption::fault,
       .fault = lease.interrupted == Interruption::fault});
}

void Recorder::interrupted(const Lease& lease, Interruption why, GpuCount gpus, const JobState& job) const {
  if (!logs_.on_pool) return;
  logs_.on_pool({.what = why == Interruption::fault ? PoolChange::What::fault : PoolChange::What::preempted,
                 .pool = lease.pool,
                 .at = now(),
                 .holder = lease.tenant ? Holder::tenant : Holder::job,
                 .lease_class = lease.lease_class,
                 .job = lease.tenant ? 0 : job.record,
                 .gpus = gpus});
}

void Recorder::machines_refused(const HeldPool& held, LeaseClass lease_class, GpuCount gpus) const {
  if (!logs_.on_pool) return;
  logs_.on_pool({.what = PoolChange::What::refused,
                 .pool = held.landlord,
                 .at = now(),
                 .holder = Holder::held,
                 .lease_class = lease_class,
                 .gpus = gpus});
}

RunRecord Recorder::finish(std::uint64_t ended, std::vector<PoolTotals> pools) {
  STOCKOUT_CHECK(open_jobs_ == 0);
  STOCKOUT_CHECK(
      requests_opened_ == requests_closed_ && requests_closed_ == ended,
      fmt::format("{} requests opened, {} closed, {} granted, refused, withdrawn or open at the end",
                  requests_opened_, requests_closed_, ended));
  STOCKOUT_CHECK(in_system_.level() == 0);
  STOCKOUT_CHECK(in_system_.total(now()) == time_in_system_ms_,
                 fmt::format("Little's law: {} job-ms in the system, jobs stayed {} ms",
                             in_system_.total(now()), time_in_system_ms_));
  check_rounding(record_.usage, rounding_);
  record_.events = agenda_.taken();
  record_.end = std::max(now(), kStart);
  record_.hold_end = hold_end();
  record_.pools = std::move(pools);
  return std::move(record_);
}

}  // namespace stockout
