#include <algorithm>

#include "tests/support/reference/run.h"
#include "tests/support/reference/work.h"

namespace stockout::reference {
namespace {

constexpr std::int64_t kHour = SimDuration{std::chrono::hours{1}}.count();

/// The billing rule, in words: nothing for nothing, else whole steps, and at least the least.
SimDuration billed_length(const BillingRule& rule, SimDuration used) {
  if (used <= SimDuration::zero()) return SimDuration::zero();
  const SimDuration over = rule.step > SimDuration::zero() ? used % rule.step : SimDuration::zero();
  const SimDuration billed = over > SimDuration::zero() ? used - over + rule.step : used;
  return std::max(billed, rule.least);
}

std::int64_t hour_of(SimTime at) { return (at - kStart).count() / kHour; }

}  // namespace

/// Machines used from `from` to `to`, hour by hour; what the billing rule adds counts in the hour of the end.
void Run::add_usage(UsageKey key, std::int64_t machines, SimTime from, SimTime to) {
  if (to <= from || machines == 0) return;
  ReferenceUsage& usage = result_.usage[key];
  for (std::int64_t hour = hour_of(from); hour <= hour_of(to); ++hour) {
    const SimTime begins = kStart + SimDuration{hour * kHour};
    const SimDuration within = std::min(to, begins + SimDuration{kHour}) - std::max(from, begins);
    if (within <= SimDuration::zero()) continue;
    usage.hours[hour].used += machines * within.count();
    usage.hours[hour].billed += machines * within.count();
  }
  const SimDuration rounding = billed_length(world_.billing, to - from) - (to - from);
  if (rounding > SimDuration::zero()) usage.hours[hour_of(to)].billed += machines * rounding.count();
}

/// Books a lease of a recorded job that has ended: machine time, and where the GPU-time went.
void Run::book(const Lease& lease, SimTime ended, SimDuration useful, SimDuration redone) {
  const JobState& job = jobs_[lease.job];
  if (!job.recorded) return;
  if (lease.partial) {
    book_machines(lease, ended, useful, redone);
    return;
  }
  const auto key = [&](const Part& part) {
    return UsageKey{part.line.value(), job.job.user, job.job.job_class};
  };
  for (const Part& part : lease.candidate.parts) {
    if (part.machines > 0) add_usage(key(part), part.machines, lease.up, ended);
  }
  if (ended == lease.granted) return;
  ReferenceUsage& usage = result_.usage[key(lease.candidate.parts[0])];
  const std::int64_t gpus = lease.candidate.gpus.count() - lease.candidate.unused.count();
  const SimDuration length = ended - lease.granted;
  usage.useful += gpus * useful.count();
  usage.redone += gpus * redone.count();
  usage.overhead += gpus * (length - useful - redone).count();
  usage.unused += lease.candidate.unused.count() * length.count();
}

/// Each machine for itself; work by what the lease had while it was done.
void Run::book_machines(const Lease& lease, SimTime ended, SimDuration useful, SimDuration redone) {
  const Part& part = lease.asked.parts[0];
  const UsageKey key{part.line.value(), jobs_[lease.job].job.user, jobs_[lease.job].job.job_class};
  SimDuration in_all{};
  for (const Machine& machine : lease.machines) {
    const SimTime last = std::min(machine.gone, ended);
    add_usage(key, 1, machine.up, last);
    in_all += last - machine.granted;
  }
  const std::int64_t unused_of_one = lease.asked.unused.count() / part.machines;
  const std::int64_t used_of_one = gpus_of_one(lease.asked) - unused_of_one;
  const std::int64_t gpus = lease.candidate.parts[0].machines * used_of_one;
  const std::int64_t all_useful = lease.useful + gpus * useful.count();
  const std::int64_t all_redone = lease.redone + gpus * redone.count();
  ReferenceUsage& usage = result_.usage[key];
  usage.useful += all_useful;
  usage.redone += all_redone;
  usage.overhead += used_of_one * in_all.count() - all_useful - all_redone;
  usage.unused += unused_of_one * in_all.count();
}

void Run::log(const Lease& lease, SimTime ended, SimDuration lost, bool preempted) {
  const JobState& job = jobs_[lease.job];
  if (!job.recorded) return;
  std::uint64_t number = 0;
  for (std::size_t j = 0; j < lease.job; ++j) {
    if (jobs_[j].recorded) ++number;
  }
  result_.leases.push_back({.job = number,
                            .attempt = lease.attempt,
                            .leg = lease.leg,
                            .pool = lease.pool,
                            .gpus = lease.candidate.gpus.count(),
                            .granted = lease.granted,
                            .running = std::min(lease.first_works, ended),
                            .ended = ended,
                            .lost = lost + lease.lost,
                            .preempted = preempted});
}

/// The run is over: what still runs is closed, the work done so far counts as useful.
void Run::close_open_leases() {
  for (Lease& lease : leases_) {
    if (!lease.open || lease.job == kNone) continue;
    JobState& job = jobs_[lease.job];
    if (lease.stops < end_ && lease.saves_all) note("closed in a last checkpoint");
    const Progress progress = progress_until(lease, end_);
    if (lease.works < end_) job.first_running = std::min(job.first_running, lease.works);
    book(lease, end_, progress.saved + progress.unsaved, SimDuration::zero());
    log(lease, end_, SimDuration::zero(), false);
    note("lease closed by the run's end");
  }
}

/// GPU-milliseconds of all leases on the pool within [from, to].
std::int64_t Run::area_on(std::size_t pool, SimTime from, SimTime to) const {
  std::int64_t area = 0;
  for (const Lease& lease : leases_) {
    if (lease.pool != pool) continue;
    const SimTime ended = lease.open ? end_ : lease.ended;
    const SimDuration within = std::min(ended, to) - std::max(lease.granted, from);
    if (within > SimDuration::zero()) area += lease.candidate.gpus.count() * within.count();
  }
  return area;
}

void Run::book_held_pools() {
  result_.hold_end = end_;
  if (world_.hold_end == HoldEnd::last_start) {
    result_.hold_end = kStart;
    for (const JobState& job : jobs_) {
      if (job.recorded && job.first_grant != kNever)
        result_.hold_end = std::max(result_.hold_end, job.first_grant);
    }
  }
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) {
    const HeldPool& held = held_pool(p);
    if (held.scaling) book_elastic_pool(p);
    if (pools_[p].created == kNever) continue;
    const UsageKey key{held.line, UserId{}, ClassId{}};
    const SimTime from = std::max(kStart, pools_[p].created);
    const SimTime to = std::min(end_, held.until);
    add_usage(key, held.machines.count(), from, std::min(result_.hold_end, held.until));
    if (to <= from) continue;
    const std::int64_t idle = held.gpus.count() * (to - from).count() - area_on(p, from, to);
    if (idle != 0) result_.usage[key].idle += idle;
  }
}

/// Each machine for itself.
void Run::book_elastic_pool(std::size_t p) {
  const UsageKey key{held_pool(p).line, UserId{}, ClassId{}};
  std::int64_t idle = -area_on(p, kStart, end_);
  for (const Lease& lease : leases_) {
    if (lease.held_pool != p || lease.came == kNever) continue;
    const SimTime from = std::max(kStart, lease.came);
    const SimTime to = lease.open ? end_ : lease.ended;
    add_usage(key, 1, from, std::min(result_.hold_end, to));
    if (to > from) idle += machine_gpus(p) * (to - from).count();
  }
  if (idle != 0) result_.usage[key].idle += idle;
}

/// All the time the job had a lease: rivals are counted once.
SimDuration Run::time_leased(std::size_t j) const {
  SimDuration leased{};
  SimTime counted_until = world_.begin;
  for (const Lease& lease : leases_) {  // in order of grant
    if (lease.job != j) continue;
    const SimTime from = std::max(lease.granted, counted_until);
    const SimTime to = lease.open ? end_ : lease.ended;
    if (to > from) leased += to - from;
    counted_until = std::max(counted_until, to);
  }
  return leased;
}

ReferenceResult Run::result() {
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const JobState& job = jobs_[j];
    if (!job.recorded) continue;
    ReferenceJob outcome{.state = job.state,
                         .leg = job.leg,
                         .released = job.released_at,
                         .first_grant = job.first_grant,
                         .finished = job.final ? job.finished : end_};
    if (job.state == FinalState::unfinished) note("final: unfinished");
    if (!job.arrived || !job.released) outcome.released = end_;
    outcome.leased = time_leased(j);
    outcome.lost = job.lost;
    outcome.preemptions = job.preemptions;
    if (job.first_grant != kNever) {
      outcome.start_delay = std::min(job.first_running, outcome.finished) - job.first_grant;
    }
    result_.jobs.push_back(outcome);
  }
  result_.end = end_;
  std::sort(result_.leases.begin(), result_.leases.end());
  return result_;
}

}  // namespace stockout::reference
