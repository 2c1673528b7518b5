#include "models/simulation/lives/lease_end.h"

namespace stockout {
namespace {

// What it means to a job that its lease has ended before its work was done.
Outcome::Kind kind_of_end(Interruption why, EndsBy by, bool goes_on) {
  switch (why) {
    case Interruption::preempted:
    case Interruption::maintenance:
      return Outcome::Kind::preempted;
    case Interruption::fault:
      return Outcome::Kind::broke;
    case Interruption::worker_exit:
      return Outcome::Kind::exited;
    case Interruption::failed:
      return Outcome::Kind::failed;
    case Interruption::gathered_too_few:
      return Outcome::Kind::refused;
    default:
      if (goes_on) return Outcome::Kind::left;
      return by == EndsBy::booking ? Outcome::Kind::expired : Outcome::Kind::cut_off;
  }
}

}  // namespace

void LeaseEnd::play_release(Event event) {
  const LeaseSlot slot = event.lease();
  if (event.kind == EventKind::lease_ends) return end(slot);
  if (event.kind == EventKind::machines_join) return join(slot);
  const Lease& lease = books_.leases()[slot];
  if (lease.ending.interrupted == Interruption::lost_race) return;
  outcomes_.add({.kind = Outcome::Kind::began, .job = lease.job, .lease = slot});
}

// Not while it goes, or machines of it, or when its work is over.
void LeaseEnd::join(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  if (lease.ending.leaving || lease.parts.going > GpuCount{} || lease.times.stops <= now()) return;
  starts_.interrupt(slot);
  gangs_.join(lease);
  starts_.work_on(slot);
}

void LeaseEnd::end(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  STOCKOUT_CHECK(lease.times.ends == now(), "a lease does not end when its end was set");
  const JobSlot of_job = lease.job;
  const Interruption why = lease.ending.interrupted;
  const EndsBy ends_by = lease.ending.by;
  JobState& job = tables_.job_of(lease);
  if (why == Interruption::lost_race) return close(slot, {}, {}, false);
  const Rate rate = gangs_.rate_of(lease);
  if (why == Interruption::none && ends_by == EndsBy::done) {
    close(slot, time_at(rate, job.work_left), SimDuration::zero(), true);
    job.work_left = SimDuration::zero();
    return outcomes_.add({.kind = Outcome::Kind::completed, .job = of_job});
  }
  const Progress progress = progress_of(lease);
  if (why == Interruption::machines_lost) return go_on_with_fewer(slot, progress);
  const SimDuration done = work_done(rate, progress.kept, job.work_left);
  const bool is_chained = lease.ending.saves && done > SimDuration::zero();
  close(slot, progress.kept, progress.lost, false);
  job.work_left -= done;
  job.history.lost += progress.lost;
  const bool goes_on = why == Interruption::given_up || ends_by == EndsBy::window || is_chained;
  outcomes_.add({.kind = kind_of_end(why, ends_by, goes_on), .job = of_job});
}

// What its end before its work is done leaves: all of it if a last checkpoint was written.
Progress LeaseEnd::progress_of(const Lease& lease) const {
  const Progress progress =
      interrupted_after(lease.times.ran_until(now()), checkpoints_of(starts_.class_of(lease)));
  return lease.ending.saves ? Progress{.kept = progress.kept + progress.lost, .lost = {}} : progress;
}

// Those that were leaving are gone. The job goes on with the others, or they wait for new ones.
void LeaseEnd::go_on_with_fewer(LeaseSlot slot, Progress progress) {
  Lease& lease = books_.leases()[slot];
  JobState& job = tables_.job_of(lease);
  job.work_left -= work_done(gangs_.rate_of(lease), progress.kept, job.work_left);
  job.history.lost += progress.lost;
  const std::int64_t before = gangs_.machines_in_all(lease);
  gangs_.lose_marked(slot, progress);
  agenda_.cancel(lease.timers.begin);
  lease.ending.interrupted = Interruption::none;
  lease.ending.saves = false;
  if (gangs_.gather_anew(slot)) {
    lease.times = {.granted = lease.times.granted, .up = kNever, .working = kNever, .ends = kNever};
    workers_.set(slot);
  } else {
    if (lease.times.working <= now()) lease.times.working = now() + starts_.class_of(lease).reload;
    starts_.set_own_end(slot);
  }
  orchestration_.fewer(lease, job, before - gangs_.machines_in_all(lease));
  PoolState& pool = books_.pool(lease.pool);
  if (SourceState* source = pool.source(lease.lease_class)) starts_.start_ready(pool, *source);
  touched_.touch(lease.pool, now());
}

// The lease is over, with all of its gang if that is spread: `kept` and `lost` are the work done on it,
// `completes` whether its job is done.
void LeaseEnd::close(LeaseSlot slot, SimDuration kept, SimDuration lost, bool completes) {
  const bool is_alone = books_.leases()[slot].parts.spread == kNoSpread;
  is_alone ? close_one(slot, kept, lost, completes) : close_gang(slot, kept, lost, completes);
}

void LeaseEnd::close_gang(LeaseSlot slot, SimDuration kept, SimDuration lost, bool completes) {
  const std::vector<LeaseSlot> leases = spreads_.leases(books_.leases()[slot].parts.spread);
  for (const LeaseSlot each : leases) close_one(each, kept, lost, completes);
}

void LeaseEnd::close_one(LeaseSlot slot, SimDuration kept, SimDuration lost, bool completes) {
  const Lease& lease = books_.leases()[slot];
  JobState& job = tables_.job_of(lease);
  const bool is_whole = lease.ending.interrupted == Interruption::none && lease.ending.by == EndsBy::done;
  const bool was_running = lease.times.working < now() || (lease.times.working == now() && is_whole);
  if (job.orchestrators.any())
    orchestration_.happened(News::Kind::ended, lease, gangs_.machines_in_all(lease));
  Closed closed = closed_after(lease, kept, lost, was_running);
  if (completes) closed.split.completed = closed.split.useful;
  if (was_running || closed.running < now()) job.history.note_running(closed.running);
  agenda_.cancel(lease.timers.life);
  agenda_.cancel(lease.timers.fault);
  agenda_.cancel(lease.timers.begin);
  workers_.forget(slot);
  take_off(job, slot);
  record(lease, closed, job);
  const SpreadSlot spread = lease.parts.spread;
  release(slot, closed.split.total());
  if (spread != kNoSpread) spreads_.leave(spread);
}

// Where its time went.
Closed LeaseEnd::closed_after(const Lease& lease, SimDuration kept, SimDuration lost, bool was_running) {
  Closed closed{.split = {}, .lost = lost, .running = was_running ? lease.times.working : now()};
  if (lease.parts.gang != kNoGang) {
    gangs_.close(lease, kept, closed);
    return closed;
  }
  if (lease.parts.past != kNoPastWork) add_past(lease, kept, closed);
  const GpuCount unused = lease.asked.candidate->unused;
  closed.split = split_of(lease.gpus - unused, unused, now() - lease.times.granted, kept, closed.lost);
  return closed;
}

// What it did before it began anew.
void LeaseEnd::add_past(const Lease& lease, SimDuration& kept, Closed& closed) {
  const PastWork past = tables_.past_work[lease.parts.past];
  tables_.past_work.remove(lease.parts.past);
  kept += past.kept;
  closed.lost += past.lost;
  if (past.running != kNever) closed.running = past.running;
}

// What its leases held counts once, however many it had at a time.
void LeaseEnd::take_off(JobState& job, LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  LeaseSlot* link = &job.lease;
  while (*link != slot) link = &books_.leases()[*link].links.next_of_job;
  *link = lease.links.next_of_job;
  if (job.lease == kNoLease) {
    job.history.leased += now() - job.history.leased_since;
    recorder_.log().job(job, JobChange::What::waiting);
  }
  if (lease.ending.interrupted != Interruption::lost_race || job.record == kNotRecorded) return;
  add_checked(books_.pool(lease.pool).totals.phantom_leased, lease.gpus * (now() - lease.times.granted));
}

void LeaseEnd::record(const Lease& lease, const Closed& closed, const JobState& job) {
  const bool was_faulty = is_fault(lease.ending.interrupted);
  const bool was_taken = was_faulty || lease.ending.interrupted == Interruption::preempted;
  if (was_taken && !lease.ending.goes_along) {
    ClassTotals& totals = books_.pool(lease.pool).of_class(lease.lease_class);
    ++(was_faulty ? totals.faults : totals.preemptions);
    recorder_.log().interrupted(lease, lease.ending.interrupted, lease.gpus, job);
  }
  recorder_.lease_over(job.job.row, lease.pool);
  if (lease.parts.gang == kNoGang) recorder_.meter().stop(lease, job);
  recorder_.meter().book(lease, closed.split, job);
  recorder_.log().lease_over(lease, closed, job);
}

// Its machines, which held so much GPU-time, are free for others.
void LeaseEnd::release(LeaseSlot slot, GpuTime held) {
  const PoolId id = books_.leases()[slot].pool;
  PoolState& pool = books_.pool(id);
  SourceState* source = pool.source(books_.leases()[slot].lease_class);
  books_.release(slot, now(), held);
  if (source != nullptr) starts_.start_ready(pool, *source);
  touched_.touch(id, now());
}

void LeaseEnd::close_at_end(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  STOCKOUT_CHECK(lease.times.ends >= now(), "a lease has outlived the end that was set for it");
  const SimDuration ran = lease.times.ran_until(now());
  const Progress progress = interrupted_after(ran, checkpoints_of(starts_.class_of(lease)));
  lease.ending.interrupted = Interruption::none;
  close_one(slot, progress.kept + progress.lost, SimDuration::zero(), false);
}

}  // namespace stockout
