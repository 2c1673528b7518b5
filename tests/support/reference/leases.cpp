#include <algorithm>

#include "tests/support/reference/run.h"
#include "tests/support/reference/work.h"

namespace stockout::reference {
namespace {

/// The next multiple of the grid, if `at` is none.
SimTime moved_to_grid(SimTime at, SimDuration grid) {
  if (grid == SimDuration::zero() || at == kNever) return at;
  const SimDuration over = (at - kStart) % grid;  // below 0 before the start
  return over > SimDuration::zero() ? at - over + grid : at - over;
}

WorkLeft work_of(const Lease& lease, const JobState& job, const JobClass& job_class) {
  return {.left = time_at(lease.rate, job.work_left),
          .every = job_class.checkpoint_every,
          .cost = job_class.checkpoint_cost};
}

}  // namespace

/// The machines' room is there: start-up begins now.
void Run::begin_lease(std::size_t l) {
  Lease& lease = leases_[l];
  lease.delayed = false;
  if (lease.job == kNone) {
    if (held_pool(lease.held_pool).scaling) {
      machine_is_granted(l);
    } else {
      machines_there(lease.held_pool);
    }
    return;
  }
  lease.up = now_ + drawn_length(lease, Purpose::provisioning);
  start_up(l);
  draw_lifetime(lease);
  draw_fault(lease);
}

SimDuration Run::drawn_length(const Lease& lease, Purpose purpose) const {
  const JobState& job = jobs_[lease.job];
  const Policy& policy = leg_of(job, lease.leg).policy;
  const Law& law = purpose == Purpose::provisioning ? policy.provisioning : policy.start_up;
  Draw draw = dice_.draw(purpose, draw_entity(job.job), lease.draws);
  return law.sample(draw);
}

/// All machines are up, or will be at `up`.
void Run::start_up(std::size_t l) {
  Lease& lease = leases_[l];
  const JobState& job = jobs_[lease.job];
  const JobClass& job_class = world_.classes[index(job.job.job_class)];
  const Policy& policy = leg_of(job, lease.leg).policy;
  const bool from_checkpoint = job.work_left < job.job.work;
  if (from_checkpoint) note("went on from a checkpoint");
  if (lease.rate < 1'000'000) note("rate: slower");
  if (lease.rate > 1'000'000) note("rate: faster");
  lease.works = lease.up + drawn_length(lease, Purpose::start_up);
  if (from_checkpoint) lease.works += job_class.reload;
  const SimDuration tests = health_test(lease);
  if (tests > SimDuration::zero()) note("health test");
  if (tests > policy.health.takes) note("health test failed");
  lease.works += tests;
  if (job.races) {
    lease.first_work = from_now(SimDuration::zero());
    lease.first_work.at = lease.works;
  }
  lease.first_works = lease.works;
  set_own_end(lease);
}

/// When it ends if nobody takes it back, and until when it works.
void Run::set_own_end(Lease& lease) {
  const JobState& job = jobs_[lease.job];
  const JobClass& job_class = world_.classes[index(job.job.job_class)];
  const Policy& policy = leg_of(job, lease.leg).policy;
  const SimTime done = lease.works + time_needed(work_of(lease, job, job_class));
  const SimTime cut = later(lease.up, policy.run_max);
  const SimTime until = is_held(lease.pool) ? held_pool(lease.pool).until : kNever;
  if (until < std::min(done, cut)) {
    lease.ending = Ending::window_over;
    lease.own_end = lease.stops = until;
  } else {
    lease.ending = done <= cut ? Ending::completes : Ending::is_cut_off;
    lease.stops = std::min(done, cut);
    lease.own_end = std::min(moved_to_grid(lease.stops, world_.grid), until);
    if (lease.own_end != lease.stops) note("end moved to the grid");
  }
  lease.saves_all = false;
  const bool known_beforehand =
      lease.ending == Ending::window_over || (lease.ending == Ending::is_cut_off && policy.chains);
  if (known_beforehand && job_class.checkpoint_every > SimDuration::zero()) {
    lease.stops = std::max(lease.works, lease.stops - job_class.checkpoint_cost);
    lease.saves_all = true;
  }
  lease.end = from_now(SimDuration::zero());
  lease.end.at = lease.own_end;
}

/// Room has come free in the source, or its capacity has risen.
void Run::start_delayed(std::size_t p, std::size_t source) {
  if (has_hosts(p)) {
    start_delayed_on_hosts(p);
    return;
  }
  const std::vector<Delayed> delayed = delayed_ones(p, source);
  std::int64_t available = -std::max<std::int64_t>(0, overhang(p, source));
  for (const Delayed& one : delayed) available += one.gpus;
  for (const Delayed& one : delayed) {
    if (one.gpus > available) return;
    available -= one.gpus;
    if (leases_[one.lease].granted < now_) note("delayed lease began later");
    if (shortage(p, source) > 0) note("over-full: a delayed lease begins");
    if (one.lot == kNone) {
      begin_lease(one.lease);
    } else {
      begin_lot(one.lease, one.lot);
    }
  }
}

/// Leases, and lots of partial ones, in the order in which they joined the list.
std::vector<Delayed> Run::delayed_ones(std::size_t p, std::size_t source) const {
  std::vector<Delayed> delayed;
  for (std::size_t l = 0; l < leases_.size(); ++l) {
    const Lease& lease = leases_[l];
    if (!draws_on(lease, p, source)) continue;
    if (lease.delayed) {
      delayed.push_back({.joined = lease.joined, .lease = l, .gpus = lease.candidate.gpus.count()});
    }
    for (std::size_t k = 0; k < lease.lots.size(); ++k) {
      if (!lease.lots[k].delayed) continue;
      delayed.push_back(
          {.joined = lease.lots[k].joined, .lease = l, .lot = k, .gpus = gpus_of_lot(lease, k)});
    }
  }
  std::sort(delayed.begin(), delayed.end(),
            [](const Delayed& a, const Delayed& b) { return a.joined < b.joined; });
  return delayed;
}

/// Taken back: it goes on until its own end or the end of its notice, whichever is first.
void Run::set_leaving(std::size_t l) {
  Lease& lease = leases_[l];
  lease.leaving = true;
  if (lease.delayed) note("a delayed lease was taken back");
  lease.delayed = false;
  for (Lot& lot : lease.lots) lot.delayed = false;
  stop_asking(lease);
  if (lease.loss.at != kNever) {
    leave_with_machines(lease);
    return;
  }
  const bool fits = last_checkpoint_fits(lease, lease.notice);
  const JobClass& job_class = world_.classes[index(jobs_[lease.job].job.job_class)];
  const SimDuration until_end = fits ? job_class.checkpoint_cost : lease.notice;
  const SimTime last = later(now_, until_end);
  if (lease.own_end <= last) {
    note("ends by itself within its notice");
    return;
  }
  if (fits) note("last checkpoint within the notice");
  if (fits && lease.own_end <= later(now_, lease.notice)) note("saved although it would have been done");
  if (!fits && lease.saves_all && lease.stops < last) note("interrupted in the last checkpoint of a chain");
  if (!fits && !lease.saves_all && lease.stops < last)
    note("interrupted between the end of work and the grid");
  lease.ending = Ending::taken_back;
  lease.saves_all = fits;
  if (fits) lease.stops = std::min(lease.stops, now_);
  lease.end = from_now(until_end);
}

/// Whether a lease that gets its notice now writes a last checkpoint.
bool Run::last_checkpoint_fits(const Lease& lease, SimDuration notice) {
  const JobClass& job_class = world_.classes[index(jobs_[lease.job].job.job_class)];
  const bool wants = job_class.checkpoint_in_notice && job_class.checkpoint_every > SimDuration::zero();
  if (!wants) return false;
  if (lease.works > now_) {
    note("no last checkpoint before work began");
    return false;
  }
  if (job_class.checkpoint_cost > notice) {
    note("last checkpoint does not fit the notice");
    return false;
  }
  return true;
}

/// What the lease has saved and not saved if it is interrupted at `at`.
Progress Run::progress_until(const Lease& lease, SimTime at) const {
  if (lease.works == kNever) return {};
  const JobState& job = jobs_[lease.job];
  const WorkLeft work = work_of(lease, job, world_.classes[index(job.job.job_class)]);
  return progress_after(work, std::min(at, lease.stops) - lease.works);
}

/// GPU-time of work that is lost if the lease is interrupted now, of the GPUs the job asked for.
std::int64_t Run::loss_now(const Lease& lease) {
  if (lease.loss.at != kNever ? lease.loss_saves : last_checkpoint_fits(lease, lease.notice)) return 0;
  const std::int64_t gpus = lease.candidate.gpus.count() - lease.candidate.unused.count();
  return gpus * progress_until(lease, now_).unsaved.count();
}

/// Phase 1.
void Run::end_lease(std::size_t l) {
  Lease& lease = leases_[l];
  JobState& job = jobs_[lease.job];
  lease.open = false;
  lease.ended = now_;
  touch(lease.pool);
  if (lease.works < now_ || lease.ending == Ending::completes) {
    job.first_running = std::min(job.first_running, lease.works);
  }
  if (lease.ending == Ending::completes) {
    book(lease, now_, time_at(lease.rate, job.work_left), SimDuration::zero());
    log(lease, now_, SimDuration::zero(), false);
    job.work_left = SimDuration::zero();
    make_final(lease.job, FinalState::completed);
  } else {
    const SimDuration before = job.work_left;
    interrupt(lease);
    after_interruption(lease, job.work_left < before);
  }
  if (is_held(lease.pool)) return;
  const std::size_t source = source_of(lease.pool, lease.lease_class);
  if (source != kNone) start_delayed(lease.pool, source);
}

/// A lease has ended before its work was done: what the job does next.
void Run::after_interruption(const Lease& lease, bool saved_something) {
  if (lease.ending == Ending::taken_back) {
    note("preempted");
    ++jobs_[lease.job].preemptions;
  }
  if (race_goes_on(lease)) {
    note("first boot: ended, the race goes on");
    return;
  }
  switch (lease.ending) {
    case Ending::completes:
    case Ending::lost_race:
      break;
    case Ending::taken_back:
      after_preemption(lease);
      break;
    case Ending::too_few:
      refused_at_place(lease.job);
      break;
    case Ending::given_up:
      note("given up");
      attempt_again(lease.job);
      break;
    case Ending::window_over:
      note(saved_something ? "window over: went on elsewhere" : "window over: nothing saved");
      attempt_again(lease.job);
      break;
    case Ending::is_cut_off:
      if (lease.saves_all && saved_something) {
        note("chained");
        attempt_again(lease.job);
      } else {
        if (lease.saves_all) note("nothing to chain");
        make_final(lease.job, FinalState::cut_off);
      }
      break;
  }
}

void Run::after_preemption(const Lease& lease) {
  JobState& job = jobs_[lease.job];
  const Policy& policy = leg_of(job, lease.leg).policy;
  if (follows_rule(job)) {
    note("rule: preempted");
    attempt_again(lease.job);
    return;
  }
  const bool may_restart = policy.restarts == kUnlimited || job.restarts[lease.leg] < policy.restarts;
  if (may_restart) {
    ++job.restarts[lease.leg];
    attempt_again(lease.job);
  } else {
    note("restarts exhausted");
    start_after_leg(lease.job, lease.leg, FinalState::failed);
  }
}

/// In the next phase 3.
void Run::attempt_again(std::size_t j) {
  set_step(j, follows_rule(jobs_[j]) ? Step::decide : Step::attempt, at_soonest());
}

/// Ends before its work is done: what no checkpoint has saved is lost.
void Run::interrupt(Lease& lease) {
  JobState& job = jobs_[lease.job];
  Progress progress = progress_until(lease, now_);
  if (lease.saves_all) {
    progress.saved += progress.unsaved;
    progress.unsaved = SimDuration::zero();
  }
  job.work_left -= work_in(progress.saved, lease.rate, job.work_left);
  job.lost += progress.unsaved;
  book(lease, now_, progress.saved, progress.unsaved);
  log(lease, now_, progress.unsaved, lease.ending == Ending::taken_back);
}

}  // namespace stockout::reference
