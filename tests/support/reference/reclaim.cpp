#include <algorithm>
#include <utility>

#include "tests/support/reference/run.h"

// Section 9: spot leases that are reclaimed to make room, and the consequences for any lease that is.
namespace stockout::reference {

/// R9.2, R10.29: GPU-time of work that is lost if the lease is interrupted now, of the GPUs the job
/// asked for.
std::int64_t Run::loss_now(const Lease& lease) {
  if (lease.loss.at != kNever ? lease.loss_saves : last_checkpoint_fits(lease, lease.notice)) return 0;
  std::int64_t gpus = 0;
  for (const Lease* each : leases_of_gang(std::as_const(lease))) gpus += gpus_used(*each);
  return gpus * progress_of(lease).unsaved.count();
}

/// R9.1, R9.2: Spot leases of jobs that may be preempted, in the order of the pool's rule.
std::vector<Lease*> Run::spot_in_order(std::size_t p, std::size_t source) {
  std::vector<Lease*> victims;  // leases_ is in order of grant
  for (Lease& lease : leases_) {
    const bool may_go = lease.stays() && draws_on(lease, p, source) && lease.job != nullptr;
    if (may_go && lease.lease_class == LeaseClass::spot) victims.push_back(&lease);
  }
  const ReclaimRule rule = pool_of(p).reclaim;
  if (rule == ReclaimRule::oldest) return victims;
  std::ranges::reverse(victims);
  if (rule == ReclaimRule::newest) return victims;
  const auto rank = [&](const Lease* lease) {
    if (rule == ReclaimRule::smallest_loss) return static_cast<std::uint64_t>(loss_now(*lease));
    return random_.draw(Purpose::victim, draw_entity(lease->job->job), lease->draws)();
  };
  const std::vector<Lease*> latest_first = victims;
  std::ranges::stable_sort(victims, {}, rank);
  if (victims != latest_first) note(rule == ReclaimRule::random ? "victims by draw" : "victims by loss");
  const auto ties = std::ranges::adjacent_find(victims, {}, rank);
  if (ties != victims.end()) note("losses are equal");
  return victims;
}

/// R6.5, R9.3: Chooses spot leases of the source, by the pool's rule, until those that stay fit; spares
/// those chosen that turn out unnecessary, in the order of choice; the others are leaving from now on.
void Run::reclaim_spot(std::size_t p, std::size_t source) {
  const std::int64_t capacity = capacity_of(p, source);
  std::int64_t stay = staying(p, source, /*with_spot=*/true);
  std::vector<std::pair<Lease*, std::int64_t>> chosen;  // and what it gives
  for (Lease* victim : spot_in_order(p, source)) {
    if (stay <= capacity) break;
    chosen.emplace_back(victim, gpus_to_give(*victim, stay - capacity));
    stay -= chosen.back().second;
  }
  for (const auto& [victim, gives] : chosen) {
    if (stay + gives <= capacity) {
      note("spared victim");
      stay += gives;
    } else {
      give_back(*victim, gives);
    }
  }
}

/// R10.16, R10.18: A victim gives what was said: all, or its last machines.
void Run::give_back(Lease& lease, std::int64_t gpus) {
  if (gpus == gpus_staying(lease)) {
    if (is_partial(lease)) note("partial: reclaimed as a whole");
    set_leaving(lease);
    return;
  }
  note("partial: gives machines");
  for (std::size_t i = lease.machines.size(); i-- > 0 && gpus > 0;) {
    if (lease.machines[i].leaving) continue;
    lease.machines[i].leaving = true;
    gpus -= lease.machines[i].part.gpus;
  }
  set_loss(lease, lease.notice);
}

/// R9.4, R4.12: It is leaving, and its machines are not waited for any more.
void Run::leave(Lease& lease) {
  lease.leaving = true;
  for (Batch& batch : lease.batches) batch.delayed.reset();
}

/// R9.4 to R9.6, R9.8: Preempted: it goes on until its own end or the end of its notice, whichever is
/// first.
void Run::set_leaving(Lease& lease) {
  if (lease.batches.front().delayed) note("a delayed lease was reclaimed");
  leave(lease);
  leave_along_with(lease);
  stop_asking(lease);
  if (lease.loss.at != kNever) return leave_with_machines(lease);
  const bool fits = last_checkpoint_fits(lease, lease.notice);
  const SimDuration until_end = fits ? lease.job->job_class->checkpoint_cost : lease.notice;
  const SimTime last = later(now_, until_end);
  if (lease.own_end <= last) {
    note("ends by itself within its notice");
    return;
  }
  if (fits) note("last checkpoint within the notice");
  if (fits && lease.own_end <= later(now_, lease.notice)) note("saved although it would have been done");
  if (!fits && lease.stops < last) {
    note(lease.saves_all ? "interrupted in the last checkpoint of a chain"
                         : "interrupted between the end of work and the grid");
  }
  const std::vector<Lease*> leases = leases_of_gang(lease);
  for (Lease* each : leases) {
    each->ending = Ending::preempted;
    each->saves_all = fits;
    if (fits) each->stops = std::min(each->stops, now_);
  }
  leases.front()->end = from_now(until_end);
}

/// R9.7: Whether a lease that gets its notice now writes a last checkpoint.
bool Run::last_checkpoint_fits(const Lease& lease, SimDuration notice) {
  const JobClass& job_class = *lease.job->job_class;
  if (!job_class.checkpoint_in_notice || job_class.checkpoint_every == SimDuration::zero()) return false;
  if (lease.works > now_) note("no last checkpoint before work began");
  if (lease.works <= now_ && job_class.checkpoint_cost > notice)
    note("last checkpoint does not fit the notice");
  return lease.works <= now_ && job_class.checkpoint_cost <= notice;
}

/// R7.24, R9.9, R9.10: The job begins again, if it may, or passes on from the leg.
void Run::after_preemption(const Lease& lease, SimDuration pause) {
  JobState& job = *lease.job;
  const Policy& policy = leg_of(lease).policy;
  const auto broke = [](const Lease* one) { return one->broke && one->notice == SimDuration::zero(); };
  const bool is_apart = policy.fault_restarts && std::ranges::any_of(leases_of_gang(lease), broke);
  const Tries restarts = is_apart ? *policy.fault_restarts : policy.restarts;
  std::int64_t& used = (is_apart ? job.fault_restarts : job.restarts)[lease.leg];
  if (job.is_failing) {
    attempt_again(job);
  } else if (follows_rule(job)) {
    note("rule: preempted");
    attempt_again(job);
  } else if (job.is_suspended()) {
    note(job.slurm_id ? "slurm: stopped" : "kueue: stopped");
    attempt_again(job);
  } else if (restarts == kUnlimited || used < restarts) {
    if (is_apart) note("restarted after a fault");
    ++used;
    attempt_again(job, pause);
  } else {
    note("restarts exhausted");
    const std::size_t next = leg_after(job, lease.leg);
    if (next == kNone) return would_be_final(job, FinalState::failed);
    job.step = {at_soonest(), [this, &job, next] {
                  ++job.attempt;
                  enter_leg(job, next);
                }};
  }
}

}  // namespace stockout::reference
