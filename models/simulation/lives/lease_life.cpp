#include "models/simulation/lives/lease_life.h"

#include <algorithm>

namespace stockout {
namespace {

Interruption fault_with(SimDuration notice) {
  return notice == SimDuration::zero() ? Interruption::fault : Interruption::maintenance;
}

}  // namespace

void LeaseLife::gather(JobSlot slot) {
  const LeaseSlot lease = tables_.jobs[slot].lease;
  const Lease& gathering = books_.leases()[lease];
  const Gangs::Gathering state = gangs_.state(gathering);
  if (state == Gangs::Gathering::goes_on) {
    PoolState& pool = books_.pool(gathering.pool);
    touched_.touch(gathering.pool, now());
    pool.at_once.add(gathering.lease_class, lease);
    gangs_.set_step(lease);
  } else if (state == Gangs::Gathering::has_enough) {
    const std::int64_t asked = gangs_.machines_in_all(gathering);
    gangs_.complete(lease);
    orchestration_.fewer(gathering, tables_.jobs[slot], asked - gangs_.machines_in_all(gathering));
    starts_.start_gang(lease);
  } else {
    interrupt(lease, Interruption::gathered_too_few, SimDuration::zero(), false);
  }
}

// The machines with the highest numbers go, or all of them.
void LeaseLife::take(LeaseSlot slot, GpuCount gpus) {
  const Lease& lease = books_.leases()[slot];
  if (lease.parts.gang == kNoGang || gpus == lease.gpus - lease.parts.going) return take(slot);
  gangs_.mark_last(lease, gpus);
  lose_machines(slot, gpus, lease.asked.leg->policy.notice);
}

// Its job writes a last checkpoint if the notice is long enough.
void LeaseLife::preempt(LeaseSlot slot, Interruption why, SimDuration notice) {
  const Lease& lease = books_.leases()[slot];
  const bool saves = saves_within(lease, notice);
  interrupt(slot, why, saves ? starts_.class_of(lease).checkpoint_cost : notice, saves);
}

// All of it goes.
void LeaseLife::interrupt(LeaseSlot slot, Interruption why, SimDuration notice, bool saves) {
  books_.leave(slot, now());
  const Lease& lease = books_.leases()[slot];
  gangs_.cancel_step(lease);
  if (lease.parts.spread == kNoSpread) return end_early(slot, why, notice, saves);
  leave_along_with(slot);
  end_early(spreads_.leases(lease.parts.spread).front(), why, notice, saves);
  spreads_.follow_leader(lease.parts.spread);
}

// A lease of a gang that is spread was taken, and all the others go with it.
void LeaseLife::leave_along_with(LeaseSlot slot) {
  for (const LeaseSlot each : spreads_.leases(books_.leases()[slot].parts.spread)) {
    if (each == slot) continue;
    books_.leave(each, now());
    books_.leases()[each].ending.goes_along = true;
    touched_.touch(books_.leases()[each].pool, now());
  }
}

// Machines that are marked go after the notice; the job interrupts its work then, unless it is done before.
void LeaseLife::lose_machines(LeaseSlot slot, GpuCount gpus, SimDuration notice) {
  books_.part_leaves(slot, gpus, now());
  const Lease& lease = books_.leases()[slot];
  const bool saves = saves_within(lease, notice);
  end_early(slot, Interruption::machines_lost, saves ? starts_.class_of(lease).checkpoint_cost : notice,
            saves);
}

// The lease goes on, at the latest until the notice is over. Where machines of it are leaving, a last
// checkpoint that is not complete by then is void.
void LeaseLife::end_early(LeaseSlot slot, Interruption why, SimDuration notice, bool saves) {
  Lease& lease = books_.leases()[slot];
  const SimTime latest = now() + notice;
  const bool was_losing = lease.ending.interrupted == Interruption::machines_lost;
  if (was_losing) lease.ending.interrupted = why;
  if (lease.times.ends <= latest) return;
  lease.ending.interrupted = why;
  lease.ending.saves = saves && !was_losing;
  if (lease.ending.saves) lease.times.stops = std::min(now(), lease.times.stops);
  starts_.move_end(slot, latest);
}

// Whether a lease that gets notice now writes a last checkpoint: its job does so, works, and has the time.
bool LeaseLife::saves_within(const Lease& lease, SimDuration notice) const {
  const JobClass& job_class = starts_.class_of(lease);
  return lease.ending.interrupted == Interruption::none && job_class.checkpoint_in_notice &&
         job_class.checkpoint_every > SimDuration::zero() && lease.times.working <= now() &&
         job_class.checkpoint_cost <= notice;
}

void LeaseLife::give_up(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  const Checkpoints rule = checkpoints_of(starts_.class_of(lease));
  const bool saves = rule.every > SimDuration::zero() && lease.times.working <= now();
  touched_.touch(lease.pool, now());
  interrupt(slot, Interruption::given_up, saves ? rule.cost : SimDuration::zero(), saves);
}

void LeaseLife::evict(JobSlot slot) {
  for (LeaseSlot each = tables_.jobs[slot].lease; each != kNoLease;
       each = books_.leases()[each].links.next_of_job) {
    const Lease& lease = books_.leases()[each];
    if (lease.ending.leaving) continue;
    touched_.touch(lease.pool, now());
    take(each);
  }
}

void LeaseLife::drop(JobSlot slot) {
  for (LeaseSlot each = tables_.jobs[slot].lease; each != kNoLease;
       each = books_.leases()[each].links.next_of_job) {
    const Lease& lease = books_.leases()[each];
    if (lease.ending.leaving) continue;
    touched_.touch(lease.pool, now());
    interrupt(each, Interruption::given_up, SimDuration::zero(), false);
  }
}

void LeaseLife::work(JobSlot slot) {
  const LeaseSlot lease = tables_.jobs[slot].lease;
  if (lease == kNoLease) return;
  const Lease& waiting = books_.leases()[lease];
  if (!waiting.ending.leaving && waiting.times.working == kNever) starts_.work_now(lease);
}

void LeaseLife::begin_anew(JobSlot slot, bool in_place) {
  const LeaseSlot lease = tables_.jobs[slot].lease;
  const Lease& working = books_.leases()[lease];
  if (working.ending.leaving || working.times.working == kNever) return;
  starts_.interrupt(lease);
  starts_.start_anew(lease, in_place);
}

void LeaseLife::win_race(LeaseSlot slot) {
  const Lease& winner = books_.leases()[slot];
  for (LeaseSlot rival = tables_.job_of(winner).lease; rival != kNoLease;
       rival = books_.leases()[rival].links.next_of_job) {
    if (rival != slot) lose_race(rival);
  }
  if (winner.times.ends != now()) return;
  if (!winner.ending.leaving) books_.leave(slot, now());
  starts_.move_end(slot, now());  // after those that lost
}

void LeaseLife::lose_race(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  if (!lease.ending.leaving) books_.leave(slot, now());
  lease.ending.interrupted = Interruption::lost_race;
  starts_.move_end(slot, now());
}

void LeaseLife::play_fate(Event event) {
  const Lease& lease = books_.leases()[event.lease()];
  if (lease.ending.leaving) return;
  if (event.kind == EventKind::worker_exits) return worker_exits(event.lease());
  lease.parts.gang == kNoGang ? fate_of_whole(event) : fate_of_machine(event);
}

void LeaseLife::fate_of_whole(Event event) {
  const Lease lease = books_.leases()[event.lease()];
  touched_.touch(lease.pool, now());
  if (event.kind == EventKind::life_over) return take(event.lease());
  const SimDuration notice = world_.pool(lease.pool).faults[lease.ending.fault_rule].notice;
  preempt(event.lease(), fault_with(notice), notice);
  fates_.break_machine(lease, lease.ending.fault_rule, lease.ending.fault_machine);
}

void LeaseLife::fate_of_machine(Event event) {
  const LeaseSlot slot = event.lease();
  const Lease lease = books_.leases()[slot];
  PartialMachine& machine = gangs_.all_of(lease)[event.detail];
  if (!machine.is_staying()) return;
  const bool breaks = event.kind == EventKind::fault;
  const SimDuration notice =
      breaks ? world_.pool(lease.pool).faults[machine.fault_rule].notice : lease.asked.leg->policy.notice;
  const Interruption why = breaks ? fault_with(notice) : Interruption::preempted;
  touched_.touch(lease.pool, now());
  const GpuCount gift = gangs_.gift_of(lease, lease.asked.candidate->gpus_of_each());
  if (gift == lease.gpus - lease.parts.going) {
    preempt(slot, why, notice);
  } else {
    machine.leaves_by = why;
    lose_machines(slot, gift, notice);
  }
  if (breaks) fates_.break_machine(lease, machine.fault_rule, event.detail);
}

// Its work is over or about to be lost anyway where it has stopped, or where machines leave.
void LeaseLife::worker_exits(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  if (lease.parts.going > GpuCount{} || lease.times.stops <= now()) return;
  ++tables_.job_of(lease).history.exits;
  const Workers::Need need = workers_.exit(slot);
  if (need == Workers::Need::restart) {
    starts_.interrupt(slot);
    return starts_.work_on(slot);
  }
  touched_.touch(lease.pool, now());
  interrupt(slot, need == Workers::Need::none ? Interruption::failed : Interruption::worker_exit,
            SimDuration::zero(), false);
}

Progress LeaseLife::interrupted_now(const Lease& lease) const {
  return interrupted_after(lease.times.ran_until(now()), checkpoints_of(starts_.class_of(lease)));
}

SimDuration LeaseLife::progress_now(const Lease& lease) const {
  const Progress progress = interrupted_now(lease);
  return work_done(gangs_.rate_of(lease), progress.kept + progress.lost, tables_.job_of(lease).work_left);
}

std::uint64_t LeaseLife::loss_if_taken(const Lease& lease) const {
  const bool is_saving = lease.ending.interrupted == Interruption::machines_lost && lease.ending.saves;
  if (is_saving || saves_within(lease, lease.asked.leg->policy.notice)) return 0;
  const SimDuration lost = interrupted_now(lease).lost;
  const GpuCount gpus = lease.parts.spread == kNoSpread ? lease.gpus - gangs_.unused_gpus(lease)
                                                        : spreads_.gpus_used(lease.parts.spread);
  return static_cast<std::uint64_t>((gpus * lost).count());
}

}  // namespace stockout
