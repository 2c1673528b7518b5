#include "models/simulation/lives/lease_start.h"

#include <algorithm>

#include "models/simulation/ground/grid.h"

namespace stockout {

void LeaseStart::start(LeaseSlot slot, GpuCount gpus) {
  Lease& lease = books_.leases()[slot];
  const JobState& job = tables_.job_of(lease);
  const SimTime up = agenda_.now() + draws_.length(lease.asked.leg->policy.provisioning, job.job,
                                                   Purpose::provisioning, lease.asked.attempt);
  if (lease.parts.gang != kNoGang) {
    fates_.set_each(slot, gangs_.start_batch(lease, gpus, up));
    return start_gang(slot);
  }
  lease.times.up = up;
  recorder_.meter().start(lease, job);
  if (lease.parts.spread != kNoSpread) return start_share(slot);
  fates_.set(slot);
  begin_work(slot, {.first = 0, .end = static_cast<std::size_t>(lease.asked.candidate->machines())});
}

// Work begins once all leases of the gang have come so far.
void LeaseStart::start_share(LeaseSlot slot) {
  fates_.set(slot);
  const Lease& lease = books_.leases()[slot];
  const SpreadSlot spread = lease.parts.spread;
  if (!spreads_.note_started(spread, lease.times.up)) return;
  begin_work(spreads_.leases(spread).front(),
             {.first = 0, .end = static_cast<std::size_t>(spreads_.machines(spread))});
  spreads_.follow_leader(spread);
}

void LeaseStart::start_gang(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  if (!gangs_.is_ready(lease)) return;
  const Gangs::Start start = gangs_.start(lease);
  if (lease.times.up != kNever) return set_join(slot, start);
  gangs_.join(lease);
  lease.times.up = start.up;
  begin_work(slot, start.untested);
}

// Machines that came while others work start up, and join those then.
void LeaseStart::set_join(LeaseSlot slot, const Gangs::Start& start) {
  Lease& lease = books_.leases()[slot];
  const SimDuration tests =
      draws_.health_tests(lease, tables_.job_of(lease).job, start.untested.first, start.untested.end);
  lease.timers.begin =
      agenda_.at_end(start.up + start_up(lease) + tests, Event::of(EventKind::machines_join, slot));
}

void LeaseStart::start_ready(PoolState& pool, SourceState& source) {
  if (source.delayed.empty()) return;
  for (const DelayedBatch& batch : books_.delayed().take_ready(pool, source)) {
    const Lease& lease = books_.leases()[batch.lease];
    if (lease.job != kNoJob) {
      start(batch.lease, batch.gpus);
    } else {
      outcomes_.add({.kind = Outcome::Kind::machines_free, .lease = batch.lease, .pool = lease.holder.pool});
    }
  }
}

// From all machines being up to the lease's own end.
void LeaseStart::begin_work(LeaseSlot slot, Gangs::Batch untested) {
  Lease& lease = books_.leases()[slot];
  const JobState& job = tables_.job_of(lease);
  const SimDuration pods = pods_after(lease);
  if (pods > SimDuration::zero() && pods > lease.asked.leg->pods->hold) return wait_in_vain(slot);
  lease.times.working = spreads_.up_of(lease) + pods + start_up(lease) +
                        draws_.health_tests(lease, job.job, untested.first, untested.end) + reload(lease);
  if (job.orchestrators.any() && !orchestration_.may_work(lease, lease.times.working)) return wait(slot);
  if (lease.asked.leg->race == Race::first_boot) {
    lease.timers.begin = agenda_.at_end(lease.times.working, Event::of(EventKind::work_begins, slot));
  }
  set_own_end(slot);
}

SimDuration LeaseStart::start_up(const Lease& lease) {
  return draws_.length(lease.asked.leg->policy.start_up, tables_.job_of(lease).job, Purpose::start_up,
                       lease.asked.attempt);
}

SimDuration LeaseStart::pods_after(const Lease& lease) {
  const auto& rule = lease.asked.leg->pods;
  if (!rule) return SimDuration::zero();
  return draws_.length(rule->after, tables_.job_of(lease).job, Purpose::pods, lease.asked.attempt);
}

// That of a job which goes on from a checkpoint.
SimDuration LeaseStart::reload(const Lease& lease) const {
  const JobState& job = tables_.job_of(lease);
  return job.work_left < job.job.work ? class_of(lease).reload : SimDuration::zero();
}

// Until its work is let begin it ends with its longest run, or with the window of its pool.
void LeaseStart::wait(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  lease.times.working = kNever;
  lease.ending.saves = false;
  set_own_end(slot);
}

// Its pods come later than its machines are held for.
void LeaseStart::wait_in_vain(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  lease.times.working = kNever;
  const SimTime expires = later(lease.times.up, lease.asked.leg->pods->hold);
  const SimTime cut = later(lease.times.up, lease.asked.leg->policy.run_max);
  lease.ending.by = cut < expires ? EndsBy::cut_off : EndsBy::booking;
  lease.times.stops = std::min(expires, cut);
  set_end(slot, on_grid(lease.times.stops, world_.grid));
}

void LeaseStart::work_now(LeaseSlot slot) {
  unset_end(slot);
  Lease& lease = books_.leases()[slot];
  lease.times.working = agenda_.now();
  lease.ending.saves = false;
  set_own_end(slot);
  orchestration_.happened(News::Kind::starts, lease, 0);
}

void LeaseStart::interrupt(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  JobState& job = tables_.job_of(lease);
  const Progress progress =
      interrupted_after(lease.times.ran_until(agenda_.now()), checkpoints_of(class_of(lease)));
  job.work_left -= work_done(gangs_.rate_of(lease), progress.kept, job.work_left);
  job.history.lost += progress.lost;
  if (lease.parts.gang != kNoGang) return gangs_.interrupt(lease, progress);
  if (lease.parts.spread == kNoSpread) return note_past(slot, progress);
  for (const LeaseSlot each : spreads_.leases(lease.parts.spread)) note_past(each, progress);
}

void LeaseStart::note_past(LeaseSlot slot, Progress progress) {
  Lease& lease = books_.leases()[slot];
  PastWork& past = tables_.past_of(lease);
  past.kept += progress.kept;
  past.lost += progress.lost;
  if (past.running == kNever && lease.times.working < agenda_.now()) past.running = lease.times.working;
}

void LeaseStart::work_on(LeaseSlot slot) {
  unset_end(slot);
  Lease& lease = books_.leases()[slot];
  lease.times.working = agenda_.now() + reload(lease);
  lease.ending.saves = false;
  set_own_end(slot);
  if (lease.parts.spread != kNoSpread) spreads_.follow_leader(lease.parts.spread);
}

void LeaseStart::start_anew(LeaseSlot slot, bool in_place) {
  const Lease& lease = books_.leases()[slot];
  const SimTime ready = agenda_.now() + (in_place ? SimDuration::zero() : start_up(lease)) + reload(lease);
  unset_end(slot);
  const bool works = orchestration_.may_work(lease, ready);
  STOCKOUT_CHECK(!works, "a lease that was to begin anew is let work at once");
  wait(slot);
}

void LeaseStart::set_own_end(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  const Checkpoints rule = checkpoints_of(class_of(lease));
  const SimDuration work = time_at(gangs_.rate_of(lease), tables_.job_of(lease).work_left);
  const SimTime done = later(lease.times.working, run_time(work, rule));
  const SimTime cut = later(spreads_.up_of(lease), lease.asked.leg->policy.run_max);
  const SimTime over = world_.is_held(lease.pool) ? world_.held_pool(lease.pool).until : kNever;
  const SimTime own = std::min(done, cut);
  lease.ending.by = over < own ? EndsBy::window : cut < done ? EndsBy::cut_off : EndsBy::done;
  lease.times.stops = own;
  const bool goes_on = lease.ending.by == EndsBy::window ||
                       (lease.ending.by == EndsBy::cut_off && lease.asked.leg->policy.chains);
  if (goes_on && rule.every > SimDuration::zero()) {
    lease.times.stops = std::max(lease.times.working, std::min(own, over) - rule.cost);
    lease.ending.saves = true;
  }
  set_end(slot, std::min(over, on_grid(own, world_.grid)));
  workers_.set(slot);
}

void LeaseStart::set_end(LeaseSlot slot, SimTime at) {
  Lease& lease = books_.leases()[slot];
  lease.times.ends = at;
  if (at == kNever) return;
  lease.timers.end = agenda_.at_end(at, Event::of(EventKind::lease_ends, slot));
}

void LeaseStart::unset_end(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  agenda_.cancel(lease.timers.end);
  if (lease.times.ends == agenda_.now()) agenda_.unset_ending(slot);
}

void LeaseStart::move_end(LeaseSlot slot, SimTime at) {
  unset_end(slot);
  set_end(slot, at);
}

}  // namespace stockout
