#include <algorithm>

#include "tests/support/reference/run.h"

// Who used which machines, hour by hour, and where the GPU-time went.
namespace stockout::reference {
namespace {

constexpr SimDuration kHour{std::chrono::hours{1}};

/// The billing rule, in words: nothing for nothing, else whole steps, and at least the least.
SimDuration billed_length(const BillingRule& rule, SimDuration used) {
  if (used <= SimDuration::zero()) return SimDuration::zero();
  const SimDuration over = rule.step > SimDuration::zero() ? used % rule.step : SimDuration::zero();
  const SimDuration billed = over > SimDuration::zero() ? used - over + rule.step : used;
  return std::max(billed, rule.least);
}

}  // namespace

/// Machines used from `from` to `to`, hour by hour; what the billing rule adds counts in the hour of the end.
void Run::add_usage(UsageKey key, MachineCount machines, SimTime from, SimTime to) {
  if (to <= from) return;
  auto& hours = result_.usage[key].hours;
  for (std::int64_t hour = (from - kStart) / kHour; hour <= (to - kStart) / kHour; ++hour) {
    const SimTime begins = kStart + hour * kHour;
    const SimDuration within = std::min(to, begins + kHour) - std::max(from, begins);
    hours[hour].used += machines * within;
    hours[hour].billed += machines * within;
  }
  hours[(to - kStart) / kHour].billed += machines * (billed_length(world_.billing, to - from) - (to - from));
}

/// A lease of a recorded job: each machine for itself.
void Run::book(const Lease& lease) {
  const auto key_of = [&](const Part& part) {
    return UsageKey{part.line.value(), lease.job->job.user, lease.job->job.job_class};
  };
  SimDuration length{};  // of all machines together
  for (const Machine& machine : lease.machines) {
    const Lot& lot = lease.lots[machine.lot];
    const SimTime ended = std::min({machine.gone, lease.ended, end_});
    add_usage(key_of(machine.part), MachineCount{1}, lot.up, ended);
    length += ended - lot.granted;
  }
  const Candidate& all = lease.candidate;
  TimeSplit split{.useful = GpuTime{lease.useful}, .redone = GpuTime{lease.redone}};
  split.unused = GpuTime{all.unused.count() * length.count() / all.machines()};
  split.overhead = area_of(lease, kStart, end_) - split.useful - split.redone - split.unused;
  result_.usage[key_of(all.parts[0])].split += split;
}

/// Machines that are held, and what of their time no lease had.
void Run::book_held_pools() {
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) {
    const HeldPool& held = held_pool(p);
    const UsageKey key{held.line, UserId{}, ClassId{}};
    GpuTime idle;
    const auto hold = [&](MachineCount machines, SimTime came, SimTime went) {
      const SimTime from = std::max(kStart, came);
      add_usage(key, machines, from, std::min(result_.hold_end, went));
      const SimDuration length = std::max(SimDuration::zero(), std::min(end_, went) - from);
      idle += held.machine_gpus() * machines.count() * length;
    };
    if (pools_[p].created != kNever) hold(held.machines, pools_[p].created, held.until);
    for (const Lease& lease : leases_) {
      if (lease.held_pool == p && lease.came != kNever) hold(MachineCount{1}, lease.came, lease.ended);
      if (lease.pool == p) idle -= area_of(lease, kStart, end_);
    }
    result_.usage[key].split.idle += idle;
  }
}

}  // namespace stockout::reference
