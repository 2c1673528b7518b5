// Partial leases: a gang that takes fewer machines than it asked for, gathers more, and loses them one by
// one.

#include <algorithm>
#include <utility>

#include "models/simulation/partial_state.h"
#include "models/simulation/run.h"

namespace stockout {
namespace {

bool may_be_partial(const Leg& leg, const Candidate& candidate) {
  return leg.partial.has_value() && candidate.least > 0;
}

}  // namespace

// GPUs a request is granted at once of what is free; 0: it is refused.
GpuCount Run::granted_gpus(const Request& request, GpuCount room) {
  const Candidate& candidate = *request.candidate;
  if (!may_be_partial(*request.leg, candidate)) return candidate.gpus <= room ? candidate.gpus : GpuCount{};
  const GpuCount each = gpus_of_each(candidate);
  const bool may_gather = request.leg->partial->gather > SimDuration::zero();
  return each * machines_that_fit(room, each, candidate.machines(), may_gather ? 1 : candidate.least);
}

// A lease just granted to a request that takes fewer machines, too, gets its record, and gathers the rest.
void Run::begin_partial(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  const Candidate& candidate = *lease.candidate;
  if (!may_be_partial(*lease.leg, candidate)) return;
  lease.partial = partials_.add();
  PartialLease& gang = partials_[lease.partial];
  gang.asked = candidate.machines();
  gang.least = candidate.least;
  gang.each = gpus_of_each(candidate);
  gang.unused = GpuCount{candidate.unused.count() / gang.asked};
  gang.piece_from = now();
  gang.machines.resize(static_cast<std::size_t>(lease.gpus.count() / gang.each.count()));
  const bool is_whole = lease.gpus == candidate.gpus || lease.leg->partial->gather == SimDuration::zero();
  is_whole ? complete_gang(slot) : set_gather_step(slot);
}

// The next asking for machines, or the end of gathering, whichever is first.
void Run::set_gather_step(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  const Partial& rule = *lease.leg->partial;
  const SimTime next = std::min(now() + rule.interval, lease.granted + rule.gather);
  partials_[lease.partial].step = agenda_.at(next, Phase::timers, Event::of(EventKind::gather, lease.job));
}

// A step of the job: it asks for more machines, or it has waited long enough for them.
void Run::gather_step(JobSlot job) {
  const LeaseSlot slot = jobs_[job].lease;
  const Lease& lease = books_.leases()[slot];
  PoolState& pool = books_.pool(lease.pool);
  touch(lease.pool);
  if (now() < lease.granted + lease.leg->partial->gather) {
    pool.growing[static_cast<std::size_t>(lease.lease_class)].push_back(slot);
    pool.deciding |= PoolState::bit_of(lease.lease_class);
    return set_gather_step(slot);
  }
  if (lease.gpus >= partials_[lease.partial].each * partials_[lease.partial].least) {
    complete_gang(slot);
    return start_gang(slot);
  }
  interrupt(slot, Interruption::gathered_too_few, SimDuration::zero(), false);
}

// Partial leases take what they can of what is free, in the order in which they asked.
void Run::grow_leases(PoolState& pool, LeaseClass lease_class) {
  std::vector<LeaseSlot> growing;
  growing.swap(pool.growing[static_cast<std::size_t>(lease_class)]);
  for (const LeaseSlot slot : growing) {
    Lease& lease = books_.leases()[slot];
    if (lease.leaving) continue;
    PartialLease& gang = partials_[lease.partial];
    const auto missing = gang.asked - static_cast<std::int64_t>(gang.machines.size());
    const std::int64_t machines = machines_that_fit(room_at_once(pool, lease_class), gang.each, missing, 1);
    if (machines == 0) continue;
    add_piece(lease, SimDuration::zero(), SimDuration::zero());
    books_.grow(slot, gang.each * machines, now());
    gang.machines.resize(gang.machines.size() + static_cast<std::size_t>(machines));
    recorder_.gang_grew(slot, machines);
    if (machines == missing) complete_gang(slot);
    settle_grant(pool, lease_class);
    if (!books_.delay_if_taken(slot, gang.each * machines)) start_lot(slot, gang.each * machines);
  }
}

void Run::complete_gang(LeaseSlot slot) {
  PartialLease& gang = partials_[books_.leases()[slot].partial];
  agenda_.cancel(gang.step);
  gang.complete = now();
}

// The machines of a lot are free for the lease: they come up, and what will become of them is drawn.
void Run::start_lot(LeaseSlot slot, GpuCount gpus) {
  const Lease& lease = books_.leases()[slot];
  PartialLease& gang = partials_[lease.partial];
  const JobState& job = jobs_[lease.job];
  const SimTime up =
      now() + draws_.length(lease.leg->policy.provisioning, job.job, Purpose::provisioning, lease.attempt);
  const std::size_t first = gang.started;
  gang.started += static_cast<std::size_t>(gpus.count() / gang.each.count());
  gang.last_up = up;
  for (std::size_t i = first; i < gang.started; ++i) {
    gang.machines[i].up = up;
    gang.machines[i].life = schedule_life(slot, i, up);
  }
  for (std::size_t i = first; i < gang.started; ++i) schedule_fault(slot, i);
  start_gang(slot);
}

EventHandle Run::schedule_life(LeaseSlot slot, std::size_t machine, SimTime up) {
  const Lease& lease = books_.leases()[slot];
  const SimDuration life = draws_.machine_life(lease, jobs_[lease.job].job, machine);
  if (life == kForever) return {};
  return agenda_.at(up + life, Phase::lifetimes, Event::of(EventKind::life_over, slot, machine));
}

void Run::schedule_fault(LeaseSlot slot, std::size_t number) {
  const Lease& lease = books_.leases()[slot];
  PartialMachine& machine = partials_[lease.partial].machines[number];
  SimDuration first = kForever;
  const std::vector<FaultRule>& rules = world_.pool(lease.pool).faults;
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    const SimDuration life = draws_.time_to_fault(lease, jobs_[lease.job].job, rules[rule], rule, number);
    if (life >= first) continue;
    first = life;
    machine.fault_rule = static_cast<std::uint8_t>(rule);
  }
  if (first == kForever) return;
  machine.fault = agenda_.at(machine.up + first, Phase::lifetimes, Event::of(EventKind::fault, slot, number));
}

// Once the gang is complete and all its machines are coming, it starts up as one.
void Run::start_gang(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  PartialLease& gang = partials_[lease.partial];
  if (gang.gathers() || gang.started < gang.machines.size()) return;
  lease.up = std::max(gang.last_up, gang.complete);
  gang.rate = rate_on(lease.candidate->rate_ppm, static_cast<std::int64_t>(gang.machines.size()), gang.asked);
  begin_work(slot, static_cast<std::int64_t>(gang.machines.size()));
}

// What a partial lease gives when `need` GPUs are wanted: machines, if enough are left, else all it has.
GpuCount Run::gift_of(const Lease& lease, GpuCount need) const {
  const PartialLease& gang = partials_[lease.partial];
  const GpuCount staying = lease.gpus - lease.going;
  if (lease.up == kNever) return staying;
  const std::int64_t machines = (need.count() + gang.each.count() - 1) / gang.each.count();
  const GpuCount gift = std::min(staying, gang.each * machines);
  return staying - gift < gang.each * gang.least ? staying : gift;
}

// The machines with the highest numbers go, or all of them.
void Run::take_victim(const Victim& victim) {
  const Lease& lease = books_.leases()[victim.lease];
  const SimDuration notice = lease.leg->policy.notice;
  if (lease.partial == kNoGang || victim.gpus == lease.gpus - lease.going) {
    return take_back(victim.lease, Interruption::preempted, notice);
  }
  PartialLease& gang = partials_[lease.partial];
  std::int64_t left = victim.gpus.count() / gang.each.count();
  for (std::size_t i = gang.machines.size(); i-- > 0 && left > 0;) {
    if (!gang.machines[i].is_staying()) continue;
    gang.machines[i].leaves_by = Interruption::preempted;
    --left;
  }
  lose_machines(victim.lease, victim.gpus, notice);
}

// The lifetime of a machine is over, or it breaks.
void Run::lose_machine(Event event) {
  const LeaseSlot slot = event.lease();
  const Lease lease = books_.leases()[slot];
  PartialLease& gang = partials_[lease.partial];
  PartialMachine& machine = gang.machines[event.detail];
  if (lease.leaving || !machine.is_staying()) return;
  const bool breaks = event.kind == EventKind::fault;
  const FaultRule* rule = breaks ? &world_.pool(lease.pool).faults[machine.fault_rule] : nullptr;
  const SimDuration notice = breaks ? rule->notice : lease.leg->policy.notice;
  const Interruption why = breaks ? Interruption::fault : Interruption::preempted;
  touch(lease.pool);
  const GpuCount gift = gift_of(lease, gang.each);
  if (gift == lease.gpus - lease.going) {
    take_back(slot, why, notice);
  } else {
    machine.leaves_by = why;
    lose_machines(slot, gift, notice);
  }
  if (breaks) break_machine(lease, machine.fault_rule, event.detail);
}

// Machines that are marked go after the notice; the job interrupts its work then, unless it is done before.
void Run::lose_machines(LeaseSlot slot, GpuCount gpus, SimDuration notice) {
  books_.part_leaves(slot, gpus, now_);
  Lease& lease = books_.leases()[slot];
  if (lease.interrupted == Interruption::machines_lost) return hasten_end(slot, now() + notice);
  const bool saves = saves_within(lease, notice);
  const SimDuration cost = world_.classes[index(jobs_[lease.job].job.job_class)].checkpoint_cost;
  const SimTime end = now() + (saves ? cost : notice);
  if (lease.ends <= end) return;
  lease.interrupted = Interruption::machines_lost;
  lease.saves = saves;
  if (saves) lease.stops = std::min(now(), lease.stops);
  agenda_.cancel(lease.end_event);
  set_end(slot, end);
}

// Machines are leaving, and something takes the lease before they are gone: a last checkpoint that is not
// complete by then is void.
void Run::hasten_end(LeaseSlot slot, SimTime latest) {
  Lease& lease = books_.leases()[slot];
  if (lease.ends <= latest) return;
  lease.saves = false;
  agenda_.cancel(lease.end_event);
  set_end(slot, latest);
}

// Those that were leaving are gone, and the job goes on with the others.
void Run::machines_gone(LeaseSlot slot, Progress progress) {
  Lease& lease = books_.leases()[slot];
  PartialLease& gang = partials_[lease.partial];
  JobState& job = jobs_[lease.job];
  PoolState& pool = books_.pool(lease.pool);
  note_first_work(lease);
  add_piece(lease, progress.kept, progress.lost);
  job.work_left -= work_done(gang.rate, progress.kept, job.work_left);
  job.lost += progress.lost;
  for (PartialMachine& machine : gang.machines) {
    if (machine.gone || machine.leaves_by == Interruption::none) continue;
    ClassTotals& totals = pool.of_class(lease.lease_class);
    ++(machine.leaves_by == Interruption::fault ? totals.faults : totals.preemptions);
    recorder_.interrupted(lease, machine.leaves_by, gang.each, job);
    end_machine(lease, machine);
  }
  books_.part_released(slot, now());
  recorder_.gang_shrank(slot, lease.gpus);
  gang.rate = rate_on(lease.candidate->rate_ppm, lease.gpus.count() / gang.each.count(), gang.asked);
  lease.interrupted = Interruption::none;
  lease.saves = false;
  const JobClass& job_class = world_.classes[index(job.job.job_class)];
  if (lease.working <= now()) lease.working = now() + job_class.reload;
  set_own_end(slot, {.every = job_class.checkpoint_every, .cost = job_class.checkpoint_cost});
  if (SourceState* source = pool.source(lease.lease_class)) start_ready(pool, *source);
  touch(lease.pool);
}

// Billed for its whole life, once.
void Run::end_machine(const Lease& lease, PartialMachine& machine) {
  agenda_.cancel(machine.life);
  agenda_.cancel(machine.fault);
  machine.gone = true;
  recorder_.bill(lease, lease.candidate->parts[0].line, MachineCount{1}, machine.up, jobs_[lease.job]);
}

// The number of machines changes now: where the GPU-time went since it last did.
void Run::add_piece(const Lease& lease, SimDuration kept, SimDuration lost) {
  PartialLease& gang = partials_[lease.partial];
  const GpuCount unused = unused_gpus(lease);
  gang.split += split_of(lease.gpus - unused, unused, now() - gang.piece_from, kept, lost);
  gang.lost += lost;
  gang.piece_from = now();
}

void Run::note_first_work(const Lease& lease) {
  if (lease.working >= now()) return;
  PartialLease& gang = partials_[lease.partial];
  if (gang.first_working == kNever) gang.first_working = lease.working;
  JobState& job = jobs_[lease.job];
  if (job.first_running == kNever) job.first_running = lease.working;
}

// A partial lease is over: all its pieces, and its machines.
void Run::close_partial(const Lease& lease, SimDuration kept, Closed& closed) {
  add_piece(lease, kept, closed.lost);
  PartialLease& gang = partials_[lease.partial];
  agenda_.cancel(gang.step);
  for (PartialMachine& machine : gang.machines) {
    if (!machine.gone) end_machine(lease, machine);
  }
  closed.split = gang.split;
  closed.lost = gang.lost;
  if (gang.first_working != kNever) closed.running = gang.first_working;
  gang.machines.clear();
  partials_.remove(lease.partial);
}

GpuCount Run::unused_gpus(const Lease& lease) const {
  if (lease.partial == kNoGang) return lease.candidate->unused;
  const PartialLease& gang = partials_[lease.partial];
  return gang.unused * (lease.gpus.count() / gang.each.count());
}

}  // namespace stockout
