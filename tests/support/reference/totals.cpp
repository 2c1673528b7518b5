#include <algorithm>

#include "tests/support/reference/run.h"

// Section 16: the run is over, and pools and jobs are told of.
namespace stockout::reference {
namespace {

constexpr SimDuration kHour{std::chrono::hours{1}};

/// The billing rule, in words: nothing for nothing, else whole steps, and at least the least.
SimDuration billed_length(const BillingRule& rule, SimDuration used) {
  if (used <= SimDuration::zero()) return SimDuration::zero();
  const SimDuration over = rule.step > SimDuration::zero() ? used % rule.step : SimDuration::zero();
  const SimDuration billed = over > SimDuration::zero() ? used - over + rule.step : used;
  return std::max(billed, rule.least);
}

}  // namespace

ClassTotals& Run::totals_of(const Asked& asked) {
  return result_.pools[asked.pool].classes[static_cast<std::size_t>(asked.lease_class)];
}

/// R16.5, R16.7: Capacity, and what else the books say between two instants, have been what they are
/// since the last.
void Run::add_capacity_until(SimTime at) {
  const SimDuration passed = at - std::max(kStart, now_);
  if (passed <= SimDuration::zero()) return;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    PoolTotals& totals = result_.pools[p];
    if (is_held(p) || !pools_[p].sources.empty()) totals.capacity += GpuCount{capacity_of(p, 0)} * passed;
    for (std::size_t s = 0; s < pools_[p].sources.size(); ++s) {
      totals.shortage += GpuCount{shortage(p, s)} * passed;
    }
    if (!has_hosts(p)) continue;
    for (const std::int64_t free : free_on_hosts(p, {})) {
      totals.host_free += GpuCount{free} * passed;
      const bool is_empty = free == pool_of(p).placement->host_gpus;
      if (!is_empty) totals.host_stranded += GpuCount{free} * passed;
    }
  }
}

/// GPU-milliseconds of the lease from kStart on.
GpuTime Run::area_of(const Lease& lease) const {
  GpuTime area;
  for (const Machine& machine : lease.machines) {
    const SimTime ends = std::min({machine.gone, lease.ended, end_});
    const SimDuration length = ends - std::max(lease.batches[machine.batch].granted, kStart);
    area += GpuCount{machine.part.gpus} * std::max(length, SimDuration::zero());
  }
  return area;
}

/// Machines used from `from` to `to`, hour by hour; what the billing rule adds counts in the hour of the end.
void Run::add_usage(UsageKey key, MachineCount machines, SimTime from, SimTime to) {
  if (to <= from) return;
  auto& hours = result_.usage[key].hours;
  for (std::int64_t hour = (from - kStart) / kHour; hour <= (to - kStart) / kHour; ++hour) {
    const SimTime begins = kStart + hour * kHour;
    const SimDuration within = std::min(to, begins + kHour) - std::max(from, begins);
    hours[hour].used += machines * within;
    hours[hour].billed += machines * within;
  }
  hours[(to - kStart) / kHour].billed += machines * (billed_length(world_.billing, to - from) - (to - from));
}

/// R7.3, R10.14, R16.1: A lease of a recorded job: each machine for itself.
void Run::book(const Lease& lease) {
  const auto key_of = [&](const Part& part) {
    return UsageKey{part.line.value(), lease.job->job.user, lease.job->job.job_class};
  };
  SimDuration length{};  // of all machines together
  for (const Machine& machine : lease.machines) {
    const Batch& batch = lease.batches[machine.batch];
    const SimTime ended = std::min({machine.gone, lease.ended, end_});
    add_usage(key_of(machine.part), MachineCount{1}, batch.up, ended);
    length += ended - batch.granted;
  }
  const Candidate& all = lease.candidate;
  TimeSplit split{.useful = GpuTime{lease.useful}, .redone = GpuTime{lease.redone}};
  split.unused = GpuTime{all.unused.count() * length.count() / all.machines()};
  split.overhead = area_of(lease) - split.useful - split.redone - split.unused;
  result_.usage[key_of(all.parts[0])].split += split;
}

/// R15.5, R15.6, R16.9, R12.32: Machines that are held, and what of their time no lease had.
void Run::book_held_pools() {
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) {
    const HeldPool& held = held_pool(p);
    const UsageKey key{held.line, UserId{}, ClassId{}};
    GpuTime idle;
    const auto hold = [&](MachineCount machines, SimTime came, SimTime went) {
      const SimTime from = std::max(kStart, came);
      add_usage(key, machines, from, std::min(result_.hold_end, went));
      const SimDuration length = std::max(SimDuration::zero(), std::min(end_, went) - from);
      idle += held.machine_gpus() * machines.count() * length;
    };
    if (const SimTime created = pools_[p].created; created != kNever) {
      const SimTime term_ends = created + held.committed;
      if (held.until < end_ && term_ends > held.until) note("a commitment is paid after its until");
      hold(held.machines, created, std::max(held.until, term_ends));
    }
    for (const Lease& lease : leases_) {
      if (lease.held_pool == p && lease.came != kNever) hold(MachineCount{1}, lease.came, lease.ended);
      if (lease.pool == p) idle -= area_of(lease);
    }
    result_.usage[key].split.idle += idle;
  }
}

/// R16.6, R16.8.
void Run::count_requests() {
  past_requests_.splice(past_requests_.end(), requests_);
  for (const Request& request : past_requests_) {
    ClassTotals& totals = totals_of(request);
    // A held pool asks when its parent serves it; what is never served was never asked.
    const bool by_held_pool = request.job == nullptr;
    if (by_held_pool && (request.open() || request.fate == Fate::withdrawn)) continue;
    if ((by_held_pool ? request.closed : request.entered) >= kStart) ++totals.requests;
    if (request.open() || request.closed < kStart) continue;
    const bool found_no_hosts = request.fate == Fate::found_no_hosts;
    if (request.fate == Fate::granted && !may_spread(request)) ++totals.grants;  // R10.40
    if (request.fate == Fate::refused || found_no_hosts) ++totals.refusals;
    if (found_no_hosts) ++result_.pools[request.pool].misfits;
    if (request.fate == Fate::withdrawn || request.fate == Fate::lost) ++totals.withdrawn;
    if (request.fate == Fate::lost && request.job->recorded) {
      result_.pools[request.pool].phantom_waiting +=
          request.candidate.gpus * (request.closed - request.entered);
    }
  }
}

/// R8.11, R10.28, R16.6.
void Run::count_leases() {
  for (const Lease& lease : leases_) {
    ClassTotals& totals = totals_of(lease);
    PoolTotals& pool = result_.pools[lease.pool];
    const auto counts = [&](SimTime at) { return kStart <= at && at <= end_; };
    if (lease.gang >= 0 && counts(lease.granted)) ++totals.grants;
    if (counts(lease.ended) && lease.ending == Ending::preempted && !lease.goes_along)
      ++(lease.broke ? totals.faults : totals.preemptions);
    for (const Machine& machine : lease.machines) {
      if (counts(machine.gone)) ++(machine.broke ? totals.faults : totals.preemptions);
    }
    const GpuTime area = area_of(lease);
    const bool is_recorded = lease.job != nullptr && lease.job->recorded;
    pool.leased += area;
    totals.leased += area;
    if (lease.job != nullptr && !is_recorded) totals.leased_by_tenants += area;
    if (!lease.open() && lease.ending == Ending::lost_race && is_recorded) pool.phantom_leased += area;
  }
}

/// R10.31, R15.3, R15.4, R16.3, R16.4: What became of a recorded job, and of its leases.
void Run::tell(const JobState& job) {
  const std::uint64_t number = result_.jobs.size();
  const bool is_final = job.stage == Stage::final;
  const bool was_released = is_final || job.stage == Stage::open;
  const SimTime released = job.state == FinalState::skipped ? job.finished
                           : was_released                   ? job.released_at
                                                            : end_;
  if (!is_final) note("final: unfinished");
  JobOutcome outcome{.state = job.state,
                     .leg = static_cast<std::uint8_t>(job.leg),
                     .released = released,
                     .finished = is_final ? job.finished : end_,
                     .exits = job.exits};
  SimTime first_ran = outcome.finished;
  SimTime counted_until = world_.begin;
  for (const Lease& lease : leases_) {  // in order of grant
    if (lease.job != &job) continue;
    const SimTime ended = std::min(lease.ended, end_);
    const bool preempted = !lease.open() && lease.ending == Ending::preempted;
    outcome.first_grant = std::min(outcome.first_grant, lease.granted);
    first_ran = std::min(first_ran, lease.first_ran);
    // Rivals are counted once.
    outcome.leased += std::max(SimDuration::zero(), ended - std::max(lease.granted, counted_until));
    counted_until = std::max(counted_until, ended);
    if (!lease.is_led) {
      outcome.lost += lease.lost;
      outcome.preemptions += preempted ? 1 : 0;
    }
    result_.leases.push_back({.job = number,
                              .attempt = lease.attempt,
                              .leg = lease.leg,
                              .pool = lease.pool,
                              .gpus = gpus_of(lease),
                              .granted = lease.granted,
                              .running = std::min(lease.first_ran, ended),
                              .ended = ended,
                              .lost = lease.lost,
                              .preempted = preempted,
                              .expired = lease.expired});
    book(lease);
  }
  outcome.quota = job.quota;
  if (job.quota_since != kNever) outcome.quota.wait += end_ - job.quota_since;
  outcome.kueue = job.kueue;
  outcome.slurm_end = job.slurm_end;
  if (job.kueue_since != kNever && !job.was_granted) outcome.kueue.wait += end_ - job.kueue_since;
  outcome.pending_for = job.pending_for;
  outcome.pending_again = job.pending_again;
  if (outcome.first_grant != kNever) outcome.start_delay = first_ran - outcome.first_grant;
  result_.jobs.push_back(outcome);
}

/// R15.3, R15.5, R16.2.
ReferenceResult Run::result() {
  for (Lease& lease : leases_) {
    if (!lease.open() || lease.job == nullptr) continue;
    note("lease closed by the run's end");
    if (lease.stops < end_ && lease.saves_all) note("closed in a last checkpoint");
    settle(lease, /*keeps_all=*/true);  // work done so far is useful
  }
  if (kueue_) count_kueue_time(end_);
  if (slurm_) count_slurm_time(end_);
  for (const JobState& job : jobs_) {
    if (job.recorded) tell(job);
  }
  std::ranges::sort(result_.leases);
  count_requests();
  count_leases();
  result_.end = result_.hold_end = end_;
  if (world_.hold_end == HoldEnd::last_start) {
    result_.hold_end = kStart;
    for (const JobOutcome& job : result_.jobs) {
      if (job.first_grant != kNever) result_.hold_end = std::max(result_.hold_end, job.first_grant);
    }
  }
  book_held_pools();
  return result_;
}

}  // namespace stockout::reference
