#include "models/simulation/lease_life.h"

#include <algorithm>

#include "models/simulation/grid.h"

namespace stockout {
namespace {

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

LeaseLife::LeaseLife(const World& world, Tables& tables, Agenda& agenda, TouchedPools& touched, Books& books,
                     Recorder& recorder, Draws& draws, Gangs& gangs, Orchestration& orchestration,
                     Outcomes& outcomes)
    : world_{world},
      tables_{tables},
      agenda_{agenda},
      touched_{touched},
      books_{books},
      recorder_{recorder},
      draws_{draws},
      gangs_{gangs},
      fates_{world, tables, agenda, books, draws, gangs},
      orchestration_{orchestration},
      outcomes_{outcomes} {}

void LeaseLife::start(LeaseSlot slot, GpuCount gpus) {
  Lease& lease = books_.leases()[slot];
  const Job& job = job_of(lease).job;
  const SimTime up =
      now() + draws_.length(lease.leg->policy.provisioning, job, Purpose::provisioning, lease.attempt);
  if (lease.partial != kNoGang) {
    fates_.set_each(slot, gangs_.start_lot(lease, gpus, up));
    return start_gang(slot);
  }
  lease.up = up;
  recorder_.meter().start(lease, job_of(lease));
  begin_work(slot, lease.candidate->machines());
  fates_.set(slot);
}

void LeaseLife::start_gang(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  if (!gangs_.is_ready(lease)) return;
  lease.up = gangs_.start(lease);
  begin_work(slot, gangs_.machines(lease));
}

// From all machines being up to the lease's own end.
void LeaseLife::begin_work(LeaseSlot slot, std::int64_t machines) {
  Lease& lease = books_.leases()[slot];
  const JobState& job = job_of(lease);
  const bool reloads = job.work_left < job.job.work;
  lease.working = lease.up +
                  draws_.length(lease.leg->policy.start_up, job.job, Purpose::start_up, lease.attempt) +
                  draws_.health_tests(lease, job.job, machines) +
                  (reloads ? class_of(lease).reload : SimDuration::zero());
  if (lease.leg->race == Race::first_boot) {
    lease.begin_event = agenda_.at_end(lease.working, Event::of(EventKind::work_begins, slot));
  }
  set_own_end(slot, checkpoints_of(lease));
}

// The work is done, or the model's maximum run is over, or the window of a held pool.
void LeaseLife::set_own_end(LeaseSlot slot, Checkpoints rule) {
  Lease& lease = books_.leases()[slot];
  const SimDuration work = time_at(gangs_.rate_of(lease), job_of(lease).work_left);
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
  set_end(slot, std::min(over, on_grid(own, world_.grid)));
}

void LeaseLife::set_end(LeaseSlot slot, SimTime at) {
  Lease& lease = books_.leases()[slot];
  lease.ends = at;
  lease.end_event = agenda_.at_end(at, Event::of(EventKind::lease_ends, slot));
}

void LeaseLife::unset_end(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  agenda_.cancel(lease.end_event);
  if (lease.ends == now()) agenda_.unset_ending(slot);
}

void LeaseLife::start_ready(PoolState& pool, SourceState& source) {
  if (source.delayed.empty()) return;
  for (const DelayedLot& lot : books_.take_ready(pool, source)) {
    const Lease& lease = books_.leases()[lot.lease];
    if (lease.job != kNoJob) {
      start(lot.lease, lot.gpus);
    } else {
      outcomes_.add({.kind = Outcome::Kind::machines_free, .lease = lot.lease, .pool = lease.held});
    }
  }
}

// The machines with the highest numbers go, or all of them.
void LeaseLife::take(LeaseSlot slot, GpuCount gpus) {
  const Lease& lease = books_.leases()[slot];
  if (lease.partial == kNoGang || gpus == lease.gpus - lease.going) return take(slot);
  gangs_.mark_last(lease, gpus);
  lose_machines(slot, gpus, lease.leg->policy.notice);
}

// Its job writes a last checkpoint if the notice is long enough.
void LeaseLife::preempt(LeaseSlot slot, Interruption why, SimDuration notice) {
  const Lease& lease = books_.leases()[slot];
  const bool saves = saves_within(lease, notice);
  interrupt(slot, why, saves ? class_of(lease).checkpoint_cost : notice, saves);
}

// The lease goes on, at the latest until the notice is over.
void LeaseLife::interrupt(LeaseSlot slot, Interruption why, SimDuration notice, bool saves) {
  books_.leave(slot, now());
  Lease& lease = books_.leases()[slot];
  const SimTime latest = now() + notice;
  gangs_.cancel_step(lease);
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

// Machines are leaving, and something takes the lease before they are gone: a last checkpoint that is not
// complete by then is void.
void LeaseLife::hasten_end(LeaseSlot slot, SimTime latest) {
  Lease& lease = books_.leases()[slot];
  if (lease.ends <= latest) return;
  lease.saves = false;
  agenda_.cancel(lease.end_event);
  set_end(slot, latest);
}

// Whether a lease that gets notice now writes a last checkpoint: its job does so, works, and has the time.
bool LeaseLife::saves_within(const Lease& lease, SimDuration notice) const {
  const JobClass& job_class = class_of(lease);
  return lease.interrupted == Interruption::none && job_class.checkpoint_in_notice &&
         job_class.checkpoint_every > SimDuration::zero() && lease.working <= now() &&
         job_class.checkpoint_cost <= notice;
}

void LeaseLife::give_up(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  const Checkpoints rule = checkpoints_of(lease);
  const bool saves = rule.every > SimDuration::zero() && lease.working <= now();
  touched_.touch(lease.pool, now());
  interrupt(slot, Interruption::given_up, saves ? rule.cost : SimDuration::zero(), saves);
}

void LeaseLife::evict(JobSlot slot) {
  for (LeaseSlot each = tables_.jobs[slot].lease; each != kNoLease;
       each = books_.leases()[each].next_of_job) {
    const Lease& lease = books_.leases()[each];
    if (lease.leaving) continue;
    touched_.touch(lease.pool, now());
    take(each);
  }
}

void LeaseLife::win_race(LeaseSlot slot) {
  const Lease& winner = books_.leases()[slot];
  for (LeaseSlot rival = job_of(winner).lease; rival != kNoLease;
       rival = books_.leases()[rival].next_of_job) {
    if (rival != slot) lose_race(rival);
  }
  if (winner.ends != now()) return;
  if (!winner.leaving) books_.leave(slot, now());
  unset_end(slot);  // after those that lost
  set_end(slot, now());
}

void LeaseLife::lose_race(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  if (!lease.leaving) books_.leave(slot, now());
  unset_end(slot);
  lease.interrupted = Interruption::lost_race;
  set_end(slot, now());
}

void LeaseLife::play_fate(Event event) {
  const Lease& lease = books_.leases()[event.lease()];
  if (lease.leaving) return;
  lease.partial == kNoGang ? fate_of_whole(event) : fate_of_machine(event);
}

void LeaseLife::fate_of_whole(Event event) {
  const Lease lease = books_.leases()[event.lease()];
  touched_.touch(lease.pool, now());
  if (event.kind == EventKind::life_over) return take(event.lease());
  preempt(event.lease(), Interruption::fault, world_.pool(lease.pool).faults[lease.fault_rule].notice);
  fates_.break_machine(lease, lease.fault_rule, lease.fault_machine);
}

void LeaseLife::fate_of_machine(Event event) {
  const LeaseSlot slot = event.lease();
  const Lease lease = books_.leases()[slot];
  PartialMachine& machine = gangs_.machine(lease, event.detail);
  if (!machine.is_staying()) return;
  const bool breaks = event.kind == EventKind::fault;
  const SimDuration notice =
      breaks ? world_.pool(lease.pool).faults[machine.fault_rule].notice : lease.leg->policy.notice;
  const Interruption why = breaks ? Interruption::fault : Interruption::preempted;
  touched_.touch(lease.pool, now());
  const GpuCount gift = gangs_.gift_of(lease, gangs_.gpus_of_each(lease));
  if (gift == lease.gpus - lease.going) {
    preempt(slot, why, notice);
  } else {
    machine.leaves_by = why;
    lose_machines(slot, gift, notice);
  }
  if (breaks) fates_.break_machine(lease, machine.fault_rule, event.detail);
}

// Machines that are marked go after the notice; the job interrupts its work then, unless it is done before.
void LeaseLife::lose_machines(LeaseSlot slot, GpuCount gpus, SimDuration notice) {
  books_.part_leaves(slot, gpus, now());
  Lease& lease = books_.leases()[slot];
  if (lease.interrupted == Interruption::machines_lost) return hasten_end(slot, now() + notice);
  const bool saves = saves_within(lease, notice);
  const SimTime end = now() + (saves ? class_of(lease).checkpoint_cost : notice);
  if (lease.ends <= end) return;
  lease.interrupted = Interruption::machines_lost;
  lease.saves = saves;
  if (saves) lease.stops = std::min(now(), lease.stops);
  agenda_.cancel(lease.end_event);
  set_end(slot, end);
}

// Those that were leaving are gone, and the job goes on with the others.
void LeaseLife::go_on_with_fewer(LeaseSlot slot, Progress progress) {
  Lease& lease = books_.leases()[slot];
  JobState& job = job_of(lease);
  job.work_left -= work_done(gangs_.rate_of(lease), progress.kept, job.work_left);
  job.lost += progress.lost;
  gangs_.lose_marked(slot, progress);
  lease.interrupted = Interruption::none;
  lease.saves = false;
  if (lease.working <= now()) lease.working = now() + class_of(lease).reload;
  set_own_end(slot, checkpoints_of(lease));
  PoolState& pool = books_.pool(lease.pool);
  if (SourceState* source = pool.source(lease.lease_class)) start_ready(pool, *source);
  touched_.touch(lease.pool, now());
}

SimDuration LeaseLife::progress_now(const Lease& lease) const {
  const Progress progress = interrupted_after(ran_until(lease, now()), checkpoints_of(lease));
  return work_done(gangs_.rate_of(lease), progress.kept + progress.lost, job_of(lease).work_left);
}

std::uint64_t LeaseLife::loss_if_taken(const Lease& lease) const {
  const bool is_saving = lease.interrupted == Interruption::machines_lost && lease.saves;
  if (is_saving || saves_within(lease, lease.leg->policy.notice)) return 0;
  const SimDuration lost = interrupted_after(ran_until(lease, now()), checkpoints_of(lease)).lost;
  return static_cast<std::uint64_t>(((lease.gpus - gangs_.unused_gpus(lease)) * lost).count());
}

void LeaseLife::play_release(Event event) {
  const LeaseSlot slot = event.lease();
  if (event.kind == EventKind::lease_ends) return ends(slot);
  const Lease& lease = books_.leases()[slot];
  if (lease.interrupted == Interruption::lost_race) return;
  outcomes_.add({.kind = Outcome::Kind::began, .job = lease.job, .lease = slot});
}

void LeaseLife::ends(LeaseSlot slot) {
  using enum Outcome::Kind;
  const Lease& lease = books_.leases()[slot];
  STOCKOUT_CHECK(lease.ends == now(), "a lease does not end when its end was set");
  const JobSlot of_job = lease.job;
  const Interruption why = lease.interrupted;
  const EndsBy ends_by = lease.ends_by;
  JobState& job = job_of(lease);
  if (why == Interruption::lost_race) return close(slot, {}, {}, false);
  const Rate rate = gangs_.rate_of(lease);
  if (why == Interruption::none && ends_by == EndsBy::done) {
    close(slot, time_at(rate, job.work_left), SimDuration::zero(), true);
    job.work_left = SimDuration::zero();
    return outcomes_.add({.kind = completed, .job = of_job});
  }
  const Progress progress = progress_of(lease, now(), checkpoints_of(lease));
  if (why == Interruption::machines_lost) return go_on_with_fewer(slot, progress);
  const SimDuration done = work_done(rate, progress.kept, job.work_left);
  const bool is_chained = lease.saves && done > SimDuration::zero();
  close(slot, progress.kept, progress.lost, false);
  job.work_left -= done;
  job.lost += progress.lost;
  const bool was_taken = why == Interruption::preempted || why == Interruption::fault;
  const bool goes_on = why == Interruption::given_up || ends_by == EndsBy::window || is_chained;
  outcomes_.add({.kind = was_taken                               ? preempted
                         : why == Interruption::gathered_too_few ? refused
                         : goes_on                               ? left
                                                                 : cut_off,
                 .job = of_job});
}

// The lease is over: `kept` and `lost` are the work done on it, `completes` whether its job is done.
void LeaseLife::close(LeaseSlot slot, SimDuration kept, SimDuration lost, bool completes) {
  const Lease& lease = books_.leases()[slot];
  JobState& job = job_of(lease);
  PoolState& pool = books_.pool(lease.pool);
  const bool is_whole = lease.interrupted == Interruption::none && lease.ends_by == EndsBy::done;
  const bool was_running = lease.working < now() || (lease.working == now() && is_whole);
  Closed closed{.split = {}, .lost = lost, .running = was_running ? lease.working : now()};
  if (lease.partial == kNoGang) {
    const GpuCount unused = lease.candidate->unused;
    closed.split = split_of(lease.gpus - unused, unused, now() - lease.granted, kept, lost);
  } else {
    gangs_.close(lease, kept, closed);
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
    recorder_.log().interrupted(lease, lease.interrupted, lease.gpus, job);
  }
  recorder_.lease_over(job.job.row, lease.pool);
  if (lease.partial == kNoGang) recorder_.meter().stop(lease, job);
  recorder_.meter().book(lease, closed.split, job);
  recorder_.log().lease_over(lease, closed, job);
  orchestration_.ended(lease, job);
  SourceState* source = pool.source(lease.lease_class);
  const PoolId id = lease.pool;
  books_.release(slot, now(), closed.split.total());
  if (source != nullptr) start_ready(pool, *source);
  touched_.touch(id, now());
}

// What its leases held counts once, however many it had at a time.
void LeaseLife::take_off(JobState& job, LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  LeaseSlot* link = &job.lease;
  while (*link != slot) link = &books_.leases()[*link].next_of_job;
  *link = lease.next_of_job;
  if (job.lease == kNoLease) {
    job.leased += now() - job.leased_since;
    recorder_.log().job(job, JobChange::What::waiting);
  }
  if (lease.interrupted != Interruption::lost_race || job.record == kNotRecorded) return;
  add_checked(books_.pool(lease.pool).totals.phantom_leased, lease.gpus * (now() - lease.granted));
}

void LeaseLife::close_at_end(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  STOCKOUT_CHECK(lease.ends >= now(), "a lease has outlived the end that was set for it");
  const Progress progress = interrupted_after(ran_until(lease, now()), checkpoints_of(lease));
  lease.interrupted = Interruption::none;
  close(slot, progress.kept + progress.lost, SimDuration::zero(), false);
}

}  // namespace stockout
