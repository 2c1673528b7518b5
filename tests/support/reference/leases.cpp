#include <algorithm>

#include "tests/support/reference/run.h"
#include "tests/support/reference/work.h"

namespace stockout::reference {
namespace {

/// No machine lives shorter, whatever its law says.
constexpr SimDuration kLeastLife{1'000};

WorkLeft work_of(const JobState& job, const JobClass& job_class) {
  return {.left = job.work_left, .every = job_class.checkpoint_every, .cost = job_class.checkpoint_cost};
}

}  // namespace

/// The machines' room is there: start-up begins now.
void Run::begin_lease(std::size_t l) {
  Lease& lease = leases_[l];
  lease.delayed = false;
  if (lease.job == kNone) {  // a held pool has no start-up and does not end
    create_held_pool(lease.held_pool);
    return;
  }
  const JobState& job = jobs_[lease.job];
  const JobClass& job_class = world_.classes[index(job.job.job_class)];
  const Policy& policy = leg_of(job, lease.leg).policy;
  const auto sample = [&](const Law& law, Purpose purpose) {
    Draw draw = dice_.draw(purpose, draw_entity(job.job), static_cast<std::uint64_t>(lease.attempt));
    return law.sample(draw);
  };
  const bool from_checkpoint = job.work_left < job.job.work;
  if (from_checkpoint) note("went on from a checkpoint");
  lease.up = now_ + sample(policy.provisioning, Purpose::provisioning);
  lease.works = lease.up + sample(policy.start_up, Purpose::start_up);
  if (from_checkpoint) lease.works += job_class.reload;
  const SimTime done = lease.works + time_needed(work_of(job, job_class));
  const SimTime cut = later(lease.up, policy.run_max);
  lease.own_end_completes = done <= cut;
  lease.own_end = std::min(done, cut);
  if (!lease.own_end_completes && policy.chains && job_class.checkpoint_every > SimDuration::zero()) {
    lease.stops = std::max(lease.works, cut - job_class.checkpoint_cost);
    lease.saves_all = true;
  }
  lease.end = from_now(SimDuration::zero());
  lease.end.at = lease.own_end;
  draw_lifetime(lease);
}

/// The lease lives as long as the first of its machines to be taken.
void Run::draw_lifetime(Lease& lease) {
  const JobState& job = jobs_[lease.job];
  const Law& law = leg_of(job, lease.leg).policy.lifetime;
  if (world_.is_held(PoolId{static_cast<std::uint16_t>(lease.pool)})) return;
  SimDuration shortest = kForever;
  std::uint64_t machine = 0;
  for (const Part& part : lease.candidate.parts) {
    for (std::int32_t i = 0; i < part.machines; ++i) {
      const std::uint64_t number = static_cast<std::uint64_t>(lease.attempt) * (std::uint64_t{1} << 32);
      Draw draw = dice_.draw(Purpose::lifetime, draw_entity(job.job), number + machine);
      const SimDuration length = law.sample(draw);
      if (length < kLeastLife) note("a machine lives the least");
      shortest = std::min(shortest, std::max(length, kLeastLife));
      ++machine;
    }
  }
  if (shortest == kForever) return;
  if (machine > 1 && law.is_random()) note("shortest life of several machines");
  lease.life = {.at = lease.up + shortest, .round = round_, .order = orders_++};
}

/// Room has come free in the source, or its capacity has risen.
void Run::start_delayed(std::size_t p, std::size_t source) {
  std::int64_t available = -std::max<std::int64_t>(0, overhang(p, source));
  for (const Lease& lease : leases_) {
    if (draws_on(lease, p, source) && lease.delayed) available += lease.candidate.gpus.count();
  }
  for (std::size_t i = 0; i < leases_.size(); ++i) {
    if (!draws_on(leases_[i], p, source) || !leases_[i].delayed) continue;
    const std::int64_t gpus = leases_[i].candidate.gpus.count();
    if (gpus > available) return;
    available -= gpus;
    if (leases_[i].granted < now_) note("delayed lease began later");
    begin_lease(i);
  }
}

/// Taken back: it goes on until its own end or the end of its notice, whichever is first.
void Run::set_leaving(std::size_t l) {
  Lease& lease = leases_[l];
  lease.leaving = true;
  if (lease.lease_class != LeaseClass::spot) note("a stronger class was taken back");
  if (lease.delayed) note("a delayed lease was taken back");
  lease.delayed = false;
  const bool fits = last_checkpoint_fits(lease);
  const JobClass& job_class = world_.classes[index(jobs_[lease.job].job.job_class)];
  const SimDuration until_end = fits ? job_class.checkpoint_cost : lease.notice;
  const SimTime last = later(now_, until_end);
  if (lease.own_end <= last) {
    note("ends by itself within its notice");
    return;
  }
  if (fits) note("last checkpoint within the notice");
  if (fits && lease.own_end <= later(now_, lease.notice)) note("saved although it would have been done");
  if (!fits && lease.stops < last) note("interrupted in the last checkpoint of a chain");
  lease.cut_by_notice = true;
  lease.saves_all = fits;
  if (fits) lease.stops = now_;
  lease.end = from_now(until_end);
}

/// Whether a lease that gets its notice now writes a last checkpoint.
bool Run::last_checkpoint_fits(const Lease& lease) {
  const JobClass& job_class = world_.classes[index(jobs_[lease.job].job.job_class)];
  const bool wants = job_class.checkpoint_in_notice && job_class.checkpoint_every > SimDuration::zero();
  if (!wants) return false;
  if (lease.works > now_) {
    note("no last checkpoint before work began");
    return false;
  }
  if (job_class.checkpoint_cost > lease.notice) {
    note("last checkpoint does not fit the notice");
    return false;
  }
  return true;
}

/// What the lease has saved and not saved if it is interrupted at `at`.
Progress Run::progress_until(const Lease& lease, SimTime at) const {
  if (lease.works == kNever) return {};
  const JobState& job = jobs_[lease.job];
  const WorkLeft work = work_of(job, world_.classes[index(job.job.job_class)]);
  return progress_after(work, std::min(at, lease.stops) - lease.works);
}

/// GPU-time of work that is lost if the lease is interrupted now, of the GPUs the job asked for.
std::int64_t Run::loss_now(const Lease& lease) {
  if (last_checkpoint_fits(lease)) return 0;
  const std::int64_t gpus = lease.candidate.gpus.count() - lease.candidate.unused.count();
  return gpus * progress_until(lease, now_).unsaved.count();
}

/// Phase 1.
void Run::end_lease(std::size_t l) {
  Lease& lease = leases_[l];
  JobState& job = jobs_[lease.job];
  lease.open = false;
  touch(lease.pool);
  job.leased += now_ - lease.granted;
  if (lease.works < now_ || (lease.own_end_completes && !lease.cut_by_notice)) {
    job.first_running = std::min(job.first_running, lease.works);
  }
  const Policy& policy = leg_of(job, lease.leg).policy;
  if (lease.cut_by_notice) {
    note("preempted");
    ++job.preemptions;
    interrupt(lease);
    const bool may_restart = policy.restarts == kUnlimited || job.restarts[lease.leg] < policy.restarts;
    if (may_restart) {
      ++job.restarts[lease.leg];
      set_step(lease.job, Step::attempt, at_soonest());
    } else {
      note("restarts exhausted");
      start_after_leg(lease.job, lease.leg, FinalState::failed);
    }
  } else if (lease.own_end_completes) {
    book(lease, now_, job.work_left, SimDuration::zero());
    log(lease, now_, SimDuration::zero(), false);
    job.work_left = SimDuration::zero();
    make_final(lease.job, FinalState::completed);
  } else {
    const SimDuration before = job.work_left;
    interrupt(lease);
    if (lease.saves_all && job.work_left < before) {
      note("chained");
      set_step(lease.job, Step::attempt, at_soonest());
    } else {
      if (lease.saves_all) note("nothing to chain");
      make_final(lease.job, FinalState::cut_off);
    }
  }
  if (world_.is_held(PoolId{static_cast<std::uint16_t>(lease.pool)})) return;
  const std::size_t source = source_of(lease.pool, lease.lease_class);
  if (source != kNone) start_delayed(lease.pool, source);
}

/// Ends before its work is done: what no checkpoint has saved is lost.
void Run::interrupt(Lease& lease) {
  JobState& job = jobs_[lease.job];
  Progress progress = progress_until(lease, now_);
  if (lease.saves_all) {
    progress.saved += progress.unsaved;
    progress.unsaved = SimDuration::zero();
  }
  job.work_left -= progress.saved;
  job.lost += progress.unsaved;
  book(lease, now_, progress.saved, progress.unsaved);
  log(lease, now_, progress.unsaved, lease.cut_by_notice);
}

}  // namespace stockout::reference
