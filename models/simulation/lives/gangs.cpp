#include "models/simulation/lives/gangs.h"

#include <algorithm>
#include <utility>

namespace stockout {
namespace {

bool may_be_partial(const Leg& leg, const Candidate& candidate) {
  return leg.partial.has_value() && candidate.least > 0;
}

}  // namespace

GpuCount grantable_gpus(const Request& request, GpuCount room) {
  const Candidate& candidate = *request.candidate;
  if (!may_be_partial(*request.leg, candidate)) return candidate.gpus <= room ? candidate.gpus : GpuCount{};
  const GpuCount each = candidate.gpus_of_each();
  const bool may_gather = request.leg->partial->gather > SimDuration::zero();
  return each * machines_that_fit(room, each, candidate.machines(), may_gather ? 1 : candidate.least);
}

void Gangs::begin(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  const Candidate& candidate = *lease.asked.candidate;
  if (!may_be_partial(*lease.asked.leg, candidate)) return;
  lease.parts.gang = gangs_.add();
  PartialLease& gang = gangs_[lease.parts.gang];
  gang.size.asked = candidate.machines();
  gang.size.least = candidate.least;
  gang.size.each = candidate.gpus_of_each();
  gang.size.unused = GpuCount{candidate.unused.count() / gang.size.asked};
  gang.work.since = gang.work.waits_since = agenda_.now();
  gang.gathers_since = agenda_.now();
  gang.machines.resize(static_cast<std::size_t>(lease.gpus.count() / gang.size.each.count()));
  const bool is_whole =
      lease.gpus == candidate.gpus || lease.asked.leg->partial->gather == SimDuration::zero();
  is_whole ? complete(slot) : set_step(slot);
}

bool Gangs::gather_anew(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  PartialLease& gang = gangs_[lease.parts.gang];
  const Partial& rule = *lease.asked.leg->partial;
  if (!rule.recreates) return false;
  agenda_.cancel(gang.step);
  gang.complete = kNever;
  gang.gathers_since = agenda_.now();
  set_step(slot);
  return !rule.works_on || machines(lease) - gang.waiting() < gang.size.least;
}

void Gangs::set_step(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  const Partial& rule = *lease.asked.leg->partial;
  PartialLease& gang = gangs_[lease.parts.gang];
  const SimTime next = std::min(agenda_.now() + rule.interval, gang.gathers_since + rule.gather);
  gang.step = agenda_.at(next, Phase::timers, Event::of(EventKind::gather, lease.job));
}

Gangs::Gathering Gangs::state(const Lease& lease) const {
  const PartialLease& gang = gangs_[lease.parts.gang];
  if (agenda_.now() < gang.gathers_since + lease.asked.leg->partial->gather) return Gathering::goes_on;
  return lease.gpus >= gang.size.each * gang.size.least ? Gathering::has_enough : Gathering::has_too_few;
}

std::int64_t Gangs::machines_for(const Lease& lease, GpuCount room) const {
  const PartialLease& gang = gangs_[lease.parts.gang];
  return machines_that_fit(room, gang.size.each, gang.size.asked - machines(lease), 1);
}

GpuCount Gangs::grow(LeaseSlot slot, std::int64_t machines) {
  const Lease& lease = books_.leases()[slot];
  PartialLease& gang = gangs_[lease.parts.gang];
  const bool works = lease.times.up != kNever;
  works ? gang.add_waiting(agenda_.now()) : add_piece(lease, SimDuration::zero(), SimDuration::zero());
  books_.grow(slot, gang.size.each * machines, agenda_.now());
  gang.machines.resize(gang.machines.size() + static_cast<std::size_t>(machines), {.waits = works});
  recorder_.gang_grew(tables_.jobs[lease.job], machines);
  if (lease.gpus == gang.size.each * gang.size.asked) complete(slot);
  return gang.size.each * machines;
}

void Gangs::complete(LeaseSlot slot) {
  PartialLease& gang = gangs_[books_.leases()[slot].parts.gang];
  agenda_.cancel(gang.step);
  gang.complete = agenda_.now();
}

Gangs::Batch Gangs::start_batch(const Lease& lease, GpuCount gpus, SimTime up) {
  PartialLease& gang = gangs_[lease.parts.gang];
  Batch batch{.first = gang.started, .end = 0};
  gang.started += static_cast<std::size_t>(gpus.count() / gang.size.each.count());
  batch.end = gang.started;
  gang.last_up = up;
  for (std::size_t i = batch.first; i < batch.end; ++i) gang.machines[i].up = up;
  return batch;
}

bool Gangs::is_ready(const Lease& lease) const {
  const PartialLease& gang = gangs_[lease.parts.gang];
  const bool has_begun = lease.times.up != kNever;
  return !gang.gathers() && gang.started == gang.machines.size() && (!has_begun || gang.waiting() > 0);
}

Gangs::Start Gangs::start(const Lease& lease) {
  PartialLease& gang = gangs_[lease.parts.gang];
  return {.up = std::max(gang.last_up, gang.complete),
          .untested = {.first = std::exchange(gang.tested, gang.started), .end = gang.started}};
}

void Gangs::join(const Lease& lease) {
  PartialLease& gang = gangs_[lease.parts.gang];
  for (PartialMachine& machine : gang.machines) machine.waits = false;
  gang.work.rate = rate_on(lease.asked.candidate->rate_ppm, machines(lease), gang.size.asked);
}

std::int64_t Gangs::machines_in_all(const Lease& lease) const {
  if (lease.parts.gang == kNoGang) return lease.asked.candidate->machines();
  const PartialLease& gang = gangs_[lease.parts.gang];
  return gang.gathers() ? gang.size.asked : machines(lease);
}

Rate Gangs::rate_of(const Lease& lease) const {
  return lease.parts.gang == kNoGang ? lease.asked.candidate->rate_ppm : gangs_[lease.parts.gang].work.rate;
}

GpuCount Gangs::unused_gpus(const Lease& lease) const {
  if (lease.parts.gang == kNoGang) return lease.asked.candidate->unused;
  const PartialLease& gang = gangs_[lease.parts.gang];
  return gang.size.unused * (lease.gpus.count() / gang.size.each.count());
}

GpuCount Gangs::gift_of(const Lease& lease, GpuCount need) const {
  const PartialLease& gang = gangs_[lease.parts.gang];
  const GpuCount staying = lease.gpus - lease.parts.going;
  if (lease.times.up == kNever || lease.parts.delayed > 0) return staying;
  const std::int64_t machines = (need.count() + gang.size.each.count() - 1) / gang.size.each.count();
  const GpuCount gift = std::min(staying, gang.size.each * machines);
  const std::int64_t least = lease.asked.leg->partial->recreates ? 1 : gang.size.least;
  return staying - gift < gang.size.each * least ? staying : gift;
}

void Gangs::mark_last(const Lease& lease, GpuCount gpus) {
  PartialLease& gang = gangs_[lease.parts.gang];
  std::int64_t left = gpus.count() / gang.size.each.count();
  for (std::size_t i = gang.machines.size(); i-- > 0 && left > 0;) {
    if (!gang.machines[i].is_staying()) continue;
    gang.machines[i].leaves_by = Interruption::preempted;
    --left;
  }
}

void Gangs::interrupt(const Lease& lease, Progress progress) {
  PartialLease& gang = gangs_[lease.parts.gang];
  if (lease.times.working < agenda_.now()) {
    if (gang.work.first_working == kNever) gang.work.first_working = lease.times.working;
    tables_.jobs[lease.job].history.note_running(lease.times.working);
  }
  add_piece(lease, progress.kept, progress.lost);
}

void Gangs::lose_marked(LeaseSlot slot, Progress progress) {
  const Lease& lease = books_.leases()[slot];
  PartialLease& gang = gangs_[lease.parts.gang];
  const JobState& job = tables_.jobs[lease.job];
  interrupt(lease, progress);
  ClassTotals& totals = books_.pool(lease.pool).of_class(lease.lease_class);
  for (PartialMachine& machine : gang.machines) {
    if (machine.gone || machine.leaves_by == Interruption::none) continue;
    ++(is_fault(machine.leaves_by) ? totals.faults : totals.preemptions);
    recorder_.log().interrupted(lease, machine.leaves_by, gang.size.each, job);
    end_machine(lease, machine);
  }
  books_.part_released(slot, agenda_.now());
  recorder_.gang_shrank(job, lease.gpus);
  gang.work.rate =
      rate_on(lease.asked.candidate->rate_ppm, machines(lease) - gang.waiting(), gang.size.asked);
}

// Billed for its whole life, once.
void Gangs::end_machine(const Lease& lease, PartialMachine& machine) {
  agenda_.cancel(machine.life);
  agenda_.cancel(machine.fault);
  machine.gone = true;
  recorder_.meter().bill_machine(lease, machine.up, tables_.jobs[lease.job]);
}

// The number of machines changes now: where the GPU-time went since it last did.
void Gangs::add_piece(const Lease& lease, SimDuration kept, SimDuration lost) {
  PartialLease& gang = gangs_[lease.parts.gang];
  gang.work.split +=
      gang.size.split(machines(lease) - gang.waiting(), agenda_.now() - gang.work.since, kept, lost);
  gang.add_waiting(agenda_.now());
  gang.work.lost += lost;
  gang.work.since = agenda_.now();
}

void Gangs::close(const Lease& lease, SimDuration kept, Closed& closed) {
  add_piece(lease, kept, closed.lost);
  PartialLease& gang = gangs_[lease.parts.gang];
  agenda_.cancel(gang.step);
  for (PartialMachine& machine : gang.machines) {
    if (!machine.gone) end_machine(lease, machine);
  }
  closed.split = gang.work.split;
  closed.lost = gang.work.lost;
  if (gang.work.first_working != kNever) closed.running = gang.work.first_working;
  gang.machines.clear();
  gangs_.remove(lease.parts.gang);
}

}  // namespace stockout
