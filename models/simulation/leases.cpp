// Leases from grant to release.

#include <algorithm>

#include "models/execution/work.h"
#include "models/simulation/run.h"

namespace stockout {
namespace {

Checkpoints checkpoints_of(const World& world, const Job& job) {
  const JobClass& job_class = world.classes[index(job.job_class)];
  return {.every = job_class.checkpoint_every, .cost = job_class.checkpoint_cost};
}

SimDuration ran_until(const Lease& lease, SimTime now) {
  return lease.working == kNever ? SimDuration::zero() : std::min(now, lease.stops) - lease.working;
}

// What the end of a lease before its work is done leaves: all of it if a last checkpoint was written.
Progress progress_of(const Lease& lease, SimTime now, Checkpoints rule) {
  Progress progress = interrupted_after(ran_until(lease, now), rule);
  if (lease.saves) progress = {.kept = progress.kept + progress.lost, .lost = {}};
  return progress;
}

}  // namespace

// The machines are free for it: they come up, are tested, the job is loaded, and its end is known.
void Run::start_up(LeaseSlot slot, GpuCount gpus) {
  Lease& lease = books_.leases()[slot];
  if (lease.partial != kNoGang) return start_lot(slot, gpus);
  const JobState& job = jobs_[lease.job];
  lease.up =
      now() + draws_.length(lease.leg->policy.provisioning, job.job, Purpose::provisioning, lease.attempt);
  begin_work(slot, lease.candidate->machines());
  draw_lifetime(slot);
  draw_fault(slot);
}

// From all machines being up to the lease's own end.
void Run::begin_work(LeaseSlot slot, std::int64_t machines) {
  Lease& lease = books_.leases()[slot];
  const JobState& job = jobs_[lease.job];
  const bool reloads = job.work_left < job.job.work;
  lease.working = lease.up +
                  draws_.length(lease.leg->policy.start_up, job.job, Purpose::start_up, lease.attempt) +
                  draws_.health_tests(lease, job.job, machines) +
                  (reloads ? world_.classes[index(job.job.job_class)].reload : SimDuration::zero());
  await_work(slot);
  set_own_end(slot, checkpoints_of(world_, job.job));
}

// Of a partial lease: with the machines that are there.
Rate Run::rate_of(const Lease& lease) const {
  return lease.partial == kNoGang ? lease.candidate->rate_ppm : partials_[lease.partial].rate;
}

// The work is done, or the model's maximum run is over, or the window of a held pool.
void Run::set_own_end(LeaseSlot slot, Checkpoints rule) {
  Lease& lease = books_.leases()[slot];
  const SimDuration work = time_at(rate_of(lease), jobs_[lease.job].work_left);
  const SimTime done = lease.working + run_time(work, rule);
  const SimTime cut = later(lease.up, lease.leg->policy.run_max);
  const SimTime over = world_.is_held(lease.pool) ? world_.held_pool(lease.pool).until : kNever;
  const SimTime own = std::min(done, cut);
  lease.ends_by = over < own ? EndsBy::window : cut < done ? EndsBy::cut_off : EndsBy::done;
  lease.stops = own;
  const bool goes_on =
      lease.ends_by == EndsBy::window || (lease.ends_by == EndsBy::cut_off && lease.leg->policy.chains);
  if (goes_on && rule.every > SimDuration::zero()) {
    lease.stops = std::max(lease.working, std::min(own, over) - rule.cost);
    lease.saves = true;
  }
  set_end(slot, std::min(over, on_grid(own)));
}

// Ends are on multiples of the grid.
SimTime Run::on_grid(SimTime at) const {
  if (world_.grid <= SimDuration{1}) return at;
  const SimDuration rest = (at - kStart) % world_.grid;
  if (rest == SimDuration::zero()) return at;
  return at - rest + (rest > SimDuration::zero() ? world_.grid : SimDuration::zero());
}

void Run::set_end(LeaseSlot slot, SimTime at) {
  Lease& lease = books_.leases()[slot];
  lease.ends = at;
  lease.end_event = agenda_.at_end(at, Event::of(EventKind::lease_ends, slot));
}

// Machines have gone or come: granted leases that waited for them start up, in order of grant.
void Run::start_ready(PoolState& pool, SourceState& source) {
  if (source.delayed.empty()) return;
  if (pool.hosts) return start_ready_on_hosts(pool);
  for (DelayedLot lot = books_.next_ready(source); lot.lease != kNoLease; lot = books_.next_ready(source)) {
    books_.leases()[lot.lease].job == kNoJob ? machines_free(lot.lease) : start_up(lot.lease, lot.gpus);
  }
}

// The provider takes the lease back; its job writes a last checkpoint if the notice is long enough.
void Run::take_back(LeaseSlot slot, Interruption why, SimDuration notice) {
  const Lease& lease = books_.leases()[slot];
  const bool saves = saves_within(lease, notice);
  interrupt(slot, why, saves ? checkpoints_of(world_, jobs_[lease.job].job).cost : notice, saves);
}

// The lease goes on, at the latest until the notice is over.
void Run::interrupt(LeaseSlot slot, Interruption why, SimDuration notice, bool saves) {
  books_.leave(slot, now());
  Lease& lease = books_.leases()[slot];
  const SimTime latest = now() + notice;
  if (lease.partial != kNoGang) agenda_.cancel(partials_[lease.partial].step);
  if (lease.interrupted == Interruption::machines_lost) {
    lease.interrupted = why;
    return hasten_end(slot, latest);
  }
  if (lease.ends <= latest) return;
  lease.interrupted = why;
  lease.saves = saves;
  if (saves) lease.stops = std::min(now(), lease.stops);
  agenda_.cancel(lease.end_event);
  set_end(slot, latest);
}

// Whether a lease that gets notice now writes a last checkpoint: its job does so, works, and has the time.
bool Run::saves_within(const Lease& lease, SimDuration notice) const {
  const JobClass& job_class = world_.classes[index(jobs_[lease.job].job.job_class)];
  return lease.interrupted == Interruption::none && job_class.checkpoint_in_notice &&
         job_class.checkpoint_every > SimDuration::zero() && lease.working <= now() &&
         job_class.checkpoint_cost <= notice;
}

// Work done on the lease so far, as on the reference, whether an interruption would keep it or not.
SimDuration Run::progress_now(const Lease& lease) const {
  const JobState& job = jobs_[lease.job];
  const Progress progress = interrupted_after(ran_until(lease, now()), checkpoints_of(world_, job.job));
  return work_done(rate_of(lease), progress.kept + progress.lost, job.work_left);
}

// GPU-time of work that would be lost if the lease were taken back and interrupted now.
std::uint64_t Run::loss_if_taken(const Lease& lease) const {
  const bool is_saving = lease.interrupted == Interruption::machines_lost && lease.saves;
  if (is_saving || saves_within(lease, lease.leg->policy.notice)) return 0;
  const SimDuration lost =
      interrupted_after(ran_until(lease, now()), checkpoints_of(world_, jobs_[lease.job].job)).lost;
  return static_cast<std::uint64_t>(((lease.gpus - unused_gpus(lease)) * lost).count());
}

void Run::lease_ends(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  STOCKOUT_CHECK(lease.ends == now(), "a lease does not end when its end was set");
  const JobSlot job_slot = lease.job;
  const Interruption why = lease.interrupted;
  const EndsBy ends_by = lease.ends_by;
  JobState& job = jobs_[job_slot];
  if (why == Interruption::lost_race) return close_lease(slot, {}, {}, false);
  const Rate rate = rate_of(lease);
  if (why == Interruption::none && ends_by == EndsBy::done) {
    close_lease(slot, time_at(rate, job.work_left), SimDuration::zero(), true);
    job.work_left = SimDuration::zero();
    return finish(job_slot, FinalState::completed);
  }
  const Progress progress = progress_of(lease, now(), checkpoints_of(world_, job.job));
  if (why == Interruption::machines_lost) return machines_gone(slot, progress);
  const SimDuration done = work_done(rate, progress.kept, job.work_left);
  const bool is_chained = lease.saves && done > SimDuration::zero();
  close_lease(slot, progress.kept, progress.lost, false);
  job.work_left -= done;
  job.lost += progress.lost;
  if (why == Interruption::preempted || why == Interruption::fault) return preempted(job_slot);
  if (why == Interruption::gathered_too_few) return refused(job_slot);
  if (is_racing(job)) return;
  const bool goes_on = why == Interruption::given_up || ends_by == EndsBy::window || is_chained;
  goes_on ? plan(job_slot, Step::attempt) : finish(job_slot, FinalState::cut_off);
}

// The restart rule of the leg: another attempt now, or the job passes on.
void Run::preempted(JobSlot slot) {
  JobState& job = jobs_[slot];
  ++job.preemptions;
  if (is_racing(job)) return;
  if (job.strategy->deadline_rule) return plan(slot, Step::attempt);
  const Tries allowed = job.strategy->legs[job.leg].policy.restarts;
  if (allowed != kUnlimited && !spend(tries_of(job).restarts[job.leg], allowed)) {
    return exhaust(slot, Exhaustion::restarts_spent);
  }
  plan(slot, Step::attempt);
}

// The lease is over: `kept` and `lost` are the work done on it, `completes` whether its job is done.
void Run::close_lease(LeaseSlot slot, SimDuration kept, SimDuration lost, bool completes) {
  const Lease& lease = books_.leases()[slot];
  JobState& job = jobs_[lease.job];
  PoolState& pool = books_.pool(lease.pool);
  const SimDuration length = now() - lease.granted;
  const bool is_whole = lease.interrupted == Interruption::none && lease.ends_by == EndsBy::done;
  const bool was_running = lease.working < now() || (lease.working == now() && is_whole);
  Closed closed{.split = {}, .lost = lost, .running = was_running ? lease.working : now()};
  if (lease.partial == kNoGang) {
    const GpuCount unused = lease.candidate->unused;
    closed.split = split_of(lease.gpus - unused, unused, length, kept, lost);
  } else {
    close_partial(lease, kept, closed);
  }
  if (completes) closed.split.completed = closed.split.useful;
  if (was_running && job.first_running == kNever) job.first_running = lease.working;
  agenda_.cancel(lease.life_event);
  agenda_.cancel(lease.fault_event);
  agenda_.cancel(lease.begin_event);
  take_off(job, slot);
  const bool is_fault = lease.interrupted == Interruption::fault;
  if (is_fault || lease.interrupted == Interruption::preempted) {
    ClassTotals& totals = pool.of_class(lease.lease_class);
    ++(is_fault ? totals.faults : totals.preemptions);
    recorder_.interrupted(lease, lease.interrupted, lease.gpus, job);
  }
  recorder_.lease_over(lease, closed, job);
  SourceState* source = pool.source(lease.lease_class);
  const PoolId id = lease.pool;
  books_.release(slot, now(), closed.split.total());
  if (source != nullptr) start_ready(pool, *source);
  touch(id);
}

}  // namespace stockout
