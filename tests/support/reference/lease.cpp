#include <algorithm>

#include "tests/support/reference/run.h"
#include "tests/support/reference/work.h"

// Section 7: a lease of a job from its grant to its end, if nobody reclaims it.
namespace stockout::reference {
namespace {

/// The next multiple of the grid, if `at` is none.
SimTime moved_to_grid(SimTime at, SimDuration grid) {
  if (grid == SimDuration::zero() || at == kNever) return at;
  const SimDuration over = (at - kStart) % grid;  // below 0 before the start
  return over > SimDuration::zero() ? at - over + grid : at - over;
}

/// R10.45, R16.1: GPUs that the job asked for, of machines that work.
std::int64_t gpus_at_work(const Lease& lease) {
  const Candidate& all = lease.candidate;
  return (all.gpus - all.unused).count() * machines_at_work(lease) / all.machines();
}

}  // namespace

std::int64_t Run::machines_of(const Lease& lease) const {
  return std::ranges::count(lease.machines, kNever, &Machine::gone);
}

/// R10.15: Of its work, in millionths of the reference's speed.
std::int64_t Run::rate_of(const Lease& lease) const {
  const Candidate& all = lease.candidate;
  return std::max<std::int64_t>(1, std::int64_t{all.rate_ppm} * machines_at_work(lease) / all.machines());
}

/// R16.1, R10.30: GPUs of it that the job asked for.
std::int64_t Run::gpus_used(const Lease& lease) const {
  const Candidate& all = lease.candidate;
  return gpus_of(lease) - all.unused.count() * machines_of(lease) / all.machines();
}

/// R7.2.
SimDuration Run::drawn_length(const Lease& lease, Purpose purpose, const Law& law) const {
  Draw draw = random_.draw(purpose, draw_entity(lease.job->job), lease.draws);
  return law.sample(draw);
}

/// R7.1, R10.11: The room of the batch's machines is there.
void Run::begin_batch(Lease& lease, std::size_t k) {
  lease.batches[k].delayed.reset();
  if (lease.job == nullptr) return held_machines_granted(lease);
  lease.batches[k].up = now_ + drawn_length(lease, Purpose::provisioning, leg_of(lease).policy.provisioning);
  draw_lifetimes(lease, k);
  draw_faults(lease, k);
  start_if_complete(lease);
}

/// R10.12, R10.13, R10.37: Start-up begins when all machines are granted and every batch has had its turn.
void Run::start_if_complete(Lease& of) {
  const std::vector<Lease*> leases = leases_of_gang(of);
  SimTime up = world_.begin;
  for (const Lease* lease : leases) {
    if (lease->completed == kNever) return;
    up = std::max(up, lease->completed);
    for (const Batch& batch : lease->batches) {
      if (batch.delayed) return;
      up = std::max(up, batch.up);
    }
  }
  if (of.up != kNever) return set_join(of, up);
  for (Lease* lease : leases) lease->up = up;
  for (Lease* lease : leases) start_up(*lease);
}

/// R7.1, R11.6: All machines are up, or will be at `up`.
void Run::start_up(Lease& lease) {
  const JobState& job = *lease.job;
  const Policy& policy = leg_of(lease).policy;
  const SimDuration tests = health_test(lease);
  if (is_partial(lease)) lease.tested = lease.machines.size();
  for (Machine& machine : lease.machines) machine.waits = false;
  const SimDuration late = pods_come_after(lease);
  lease.works = lease.up + late + drawn_length(lease, Purpose::start_up, policy.start_up) + tests;
  if (job.work_left < job.job.work) {
    note("went on from a checkpoint");
    lease.works += job.job_class->reload;
  }
  if (tests > SimDuration::zero()) note("health test");
  if (tests > policy.health.takes) note("health test failed");
  if (rate_of(lease) < 1'000'000) note("rate: slower");
  if (rate_of(lease) > 1'000'000) note("rate: faster");
  if (is_in_set(job)) lease.ready = std::exchange(lease.works, kNever);
  if (lease.is_suspended) lease.ready = kNever;
  if (job.races) lease.first_work = set_for(lease.works);
  if (leg_of(lease).pods && late > leg_of(lease).pods->hold) return set_expiry(lease);
  if (late > SimDuration::zero()) note("pods: late, in time");
  set_own_end(lease);
  pods_will_be_ready(lease);
  nodes_will_be_up(lease);
}

/// R7.22.
SimDuration Run::pods_come_after(const Lease& lease) const {
  const auto& rule = leg_of(lease).pods;
  return rule ? drawn_length(lease, Purpose::pods, rule->after) : SimDuration::zero();
}

/// R7.23.
void Run::set_expiry(Lease& lease) {
  const SimDuration hold = leg_of(lease).pods->hold;
  const SimDuration run_max = leg_of(lease).policy.run_max;
  lease.ending = run_max < hold ? Ending::cut_off : Ending::expired;
  lease.works = kNever;
  lease.stops = later(lease.up, std::min(run_max, hold));
  lease.own_end = moved_to_grid(lease.stops, world_.grid);
  lease.end = set_for(lease.own_end);
}

/// R7.4 to R7.7: The gang waits for the machine that needs the longest.
SimDuration Run::health_test(const Lease& lease) const {
  const HealthTest& test = leg_of(lease).policy.health;
  SimDuration longest{};
  for (const Lease* each : leases_of_gang(lease)) {
    for (std::size_t i = each->tested; i < each->machines.size(); ++i) {
      Draw draw = draw_of_machine(Purpose::health, *each, i);
      SimDuration needs = test.takes;
      while (uniform01(draw) < test.fails_ppm / 1e6) needs += test.replace + test.takes;
      longest = std::max(longest, needs);
    }
  }
  return longest;
}

/// R7.8, R7.11, R7.12, R7.17, R7.19, R7.20, R1.7: When it ends if nobody takes it, and until when it
/// works.
void Run::set_own_end(Lease& lease) {
  const JobClass& job_class = *lease.job->job_class;
  const Policy& policy = leg_of(lease).policy;
  const SimDuration work = time_at(rate_of(lease), lease.job->work_left);
  const SimTime done = later(lease.works, time_needed(work, job_class));
  const SimTime cut = later(lease.up, policy.run_max);
  const SimTime until = is_held(lease.pool) ? held_pool(lease.pool).until : kNever;
  if (until < std::min(done, cut)) {
    lease.ending = Ending::window_over;
    lease.own_end = lease.stops = until;
  } else {
    lease.ending = done <= cut ? Ending::completes : Ending::cut_off;
    lease.stops = std::min(done, cut);
    lease.own_end = std::min(moved_to_grid(lease.stops, world_.grid), until);
    if (lease.own_end != lease.stops) note("end moved to the grid");
  }
  const bool known_beforehand =
      lease.ending == Ending::window_over || (lease.ending == Ending::cut_off && policy.chains);
  lease.saves_all = known_beforehand && job_class.checkpoint_every > SimDuration::zero();
  if (lease.saves_all) lease.stops = std::max(lease.works, lease.stops - job_class.checkpoint_cost);
  if (!lease.is_led) lease.end = set_for(lease.own_end);
  set_exit(lease);
}

/// R7.13: Work that the lease has done by now since it began, or since it lost machines.
Progress Run::progress_of(const Lease& lease) const {
  if (lease.works == kNever) return {};
  return progress_after(std::min(now_, lease.stops) - lease.works, *lease.job->job_class);
}

/// R7.14, R7.15, R16.3: Work ends now, or goes on with fewer machines: what no checkpoint has saved is
/// lost, or nothing.
void Run::settle(Lease& lease, bool keeps_all) {
  const Progress done = progress_of(lease);
  const SimDuration lost = keeps_all ? SimDuration::zero() : done.unsaved;
  const SimDuration kept = done.saved + done.unsaved - lost;
  if (lease.works < now_) lease.first_ran = std::min(lease.first_ran, lease.works);
  lease.useful += gpus_at_work(lease) * kept.count();
  lease.redone += gpus_at_work(lease) * lost.count();
  lease.lost += lost;
  if (!lease.is_led) lease.job->work_left -= work_in(kept, rate_of(lease), lease.job->work_left);
}

/// R2.2, R7.12, R10.39: Phase 1.
void Run::end_lease(Lease& lease) {
  const SimDuration before = lease.job->work_left;
  const bool completes = lease.ending == Ending::completes;
  const std::vector<Lease*> leases = leases_of_gang(lease);
  for (Lease* each : leases) {
    settle(*each, completes || each->saves_all);
    each->ended = now_;
    each->expired = lease.ending == Ending::expired ||
                    (lease.ending == Ending::given_up && !follows_rule(*lease.job) && !lease.job->is_failing);
    touch(each->pool);
    if (completes) each->first_ran = std::min(each->first_ran, each->works);
  }
  pods_are_gone(*lease.job);
  if (lease_of(*lease.job) == nullptr) lease.job->nodes_up = Due{};
  if (completes) {
    make_final(*lease.job, FinalState::completed);
  } else {
    after_interruption(lease, lease.job->work_left < before);
  }
  for (const Lease* each : leases) start_delayed(each->pool, source_of(each->pool, each->lease_class));
}

/// R7.16, R7.18, R7.21, R10.8, R11.11: A lease has ended before its work was done: what the job does
/// next.
void Run::after_interruption(const Lease& lease, bool saved_something) {
  JobState& job = *lease.job;
  if (lease.ending == Ending::preempted) note("preempted");
  // It may still begin in another place of the same race.
  if (job.races && (lease_of(job) != nullptr || has_open_request(job, lease.leg))) {
    note("first boot: ended, the race goes on");
    return;
  }
  switch (lease.ending) {
    case Ending::completes:
    case Ending::lost_race:
      return;
    case Ending::preempted:
      return after_preemption(lease, SimDuration::zero());
    case Ending::expired:
      note(leg_of(lease).pods->again > SimDuration::zero() ? "pods: booking expired, asked later"
                                                           : "pods: booking expired");
      return after_preemption(lease, leg_of(lease).pods->again);
    case Ending::too_few:
      return refused_at_place(job);
    case Ending::exits:
    case Ending::fails:
      return after_exit(lease);
    case Ending::given_up:
      note("given up");
      return attempt_again(job);
    case Ending::window_over:
      note(saved_something ? "window over: went on elsewhere" : "window over: nothing saved");
      return attempt_again(job);
    case Ending::cut_off:
      if (lease.saves_all) note(saved_something ? "chained" : "nothing to chain");
      return lease.saves_all && saved_something ? attempt_again(job) : make_final(job, FinalState::cut_off);
  }
}

}  // namespace stockout::reference
