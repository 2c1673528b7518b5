#include "models/simulation/books/meter.h"

#include <utility>

#include "models/simulation/books/ledger_checks.h"
#include "models/world/sublet_lines.h"

namespace stockout {
namespace {

UsageLedger empty_ledger(const World& world) {
  return UsageLedger{world.price_lines.size(), world.users.size(), world.classes.size()};
}

UsageKey key_of(const Part& part, const JobState& job) {
  return {.line = part.line.value(), .user = job.job.user, .job_class = job.job.job_class};
}

}  // namespace

Meter::Meter(const World& world, const Agenda& agenda)
    : world_{world}, agenda_{agenda}, usage_{empty_ledger(world)}, phantom_{empty_ledger(world)} {}

void Meter::start(const Lease& lease, const JobState& job) {
  if (job.record == kNotRecorded) return;
  for (const Part& part : lease.asked.candidate->parts) {
    if (part.machines > 0)
      usage_.come(usage_.series(key_of(part, job)), MachineCount{part.machines}, lease.times.up);
  }
}

void Meter::stop(const Lease& lease, const JobState& job) {
  if (job.record == kNotRecorded || lease.times.up == kNever) return;
  const SimTime now = agenda_.now();
  for (const Part& part : lease.asked.candidate->parts) {
    if (part.machines == 0) continue;
    const UsageKey key = key_of(part, job);
    const MachineCount machines{part.machines};
    if (lease.times.up >= now) {
      usage_.go(usage_.series(key), machines, lease.times.up, MachineTime{});
      continue;
    }
    stop(usage_.series(key), machines, lease.times.up);
    if (lease.ending.interrupted != Interruption::lost_race) continue;
    phantom_.add(key, machines, lease.times.up, now, rounding_of(machines, lease.times.up));
  }
}

void Meter::bill_machine(const Lease& lease, SimTime from, const JobState& job) {
  if (from >= agenda_.now() || job.record == kNotRecorded) return;
  const MachineTime rounding = rounding_of(MachineCount{1}, from);
  usage_.add(key_of(lease.asked.candidate->parts[0], job), MachineCount{1}, from, agenda_.now(), rounding);
  rounding_ += rounding;
}

void Meter::book(const Lease& lease, const TimeSplit& split, const JobState& job) {
  if (job.record == kNotRecorded) return;
  const auto& parts = lease.asked.candidate->parts;
  const UsageKey key = key_of(parts[0].machines > 0 ? parts[0] : parts[1], job);
  usage_.add_split(key, split);
  if (split.completed < split.useful) kept_[lease.job].push_back({.key = key, .time = split.useful});
}

void Meter::settle_kept(JobSlot slot, FinalState state) {
  const auto kept = kept_.extract(slot);
  if (kept.empty() || state != FinalState::completed) return;
  for (const Kept& part : kept.mapped()) {
    TimeSplit split;
    split.completed = part.time;
    usage_.add_split(part.key, split);
  }
}

void Meter::held_paid(const HeldPool& held, MachineCount machines, SimTime from, SimTime to) {
  const SimDuration paid = to - from;
  const MachineTime rounding = machines * (world_.billing.billed(paid) - paid);
  usage_.add({.line = held.line}, machines, from, to, rounding);
  rounding_ += rounding;
}

void Meter::held_used(const HeldPool& held, GpuTime leased, GpuTime idle) {
  check_sublet(usage_, sublet_lines(world_, held), leased);
  usage_.add_split({.line = held.line}, {.idle = idle});
}

void Meter::finish(RunRecord& record) {
  check_rounding(usage_, rounding_);
  record.usage = std::move(usage_);
  record.phantom = std::move(phantom_);
}

}  // namespace stockout
