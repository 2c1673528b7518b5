// What machines do of themselves: they fail a test, live their time, break and are repaired.

#include <algorithm>

#include "models/simulation/run.h"

namespace stockout {

// The lease lives as long as the first of its machines to be taken.
void Run::draw_lifetime(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  if (world_.is_held(lease.pool)) return;
  // Where all live equally long, one speaks for them.
  const std::int64_t machines = lease.leg->policy.lifetime.is_random() ? lease.candidate->machines() : 1;
  SimDuration life = kForever;
  for (std::int64_t i = 0; i < machines; ++i) {
    life = std::min(life, draws_.machine_life(lease, jobs_[lease.job].job, static_cast<std::uint64_t>(i)));
  }
  if (life == kForever) return;
  lease.life_event = agenda_.at(lease.up + life, Phase::lifetimes, Event::of(EventKind::life_over, slot));
}

// The first fault of any of its machines, by any rule of its pool.
void Run::draw_fault(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  const std::vector<FaultRule>& rules = world_.pool(lease.pool).faults;
  if (rules.empty()) return;
  const auto machines = static_cast<std::uint64_t>(lease.candidate->machines());
  SimDuration first = kForever;
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    for (std::uint64_t i = 0; i < machines; ++i) {
      const SimDuration life = draws_.time_to_fault(lease, jobs_[lease.job].job, rules[rule], rule, i);
      if (life >= first) continue;
      first = life;
      lease.fault_rule = static_cast<std::uint8_t>(rule);
      lease.fault_machine = static_cast<std::uint32_t>(i);
    }
  }
  if (first == kForever) return;
  lease.fault_event = agenda_.at(lease.up + first, Phase::lifetimes, Event::of(EventKind::fault, slot));
}

void Run::life_over(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  if (lease.leaving) return;
  touch(lease.pool);
  take_back(slot, Interruption::preempted, lease.leg->policy.notice);
}

// A machine breaks: its lease ends after the notice, and its pool is without it until it is repaired.
void Run::machine_breaks(LeaseSlot slot) {
  const Lease lease = books_.leases()[slot];
  if (lease.leaving) return;
  touch(lease.pool);
  take_back(slot, Interruption::fault, world_.pool(lease.pool).faults[lease.fault_rule].notice);
  break_machine(lease, lease.fault_rule, lease.fault_machine);
}

// Until it is repaired, the machine is gone from its pool's capacity.
void Run::break_machine(const Lease& lease, std::uint8_t number, std::uint32_t machine) {
  const FaultRule& rule = world_.pool(lease.pool).faults[number];
  const PoolState& pool = books_.pool(lease.pool);
  const std::int8_t source = pool.source_of[static_cast<std::size_t>(lease.lease_class)];
  if (source == PoolState::kUnlimited) return;
  const SimDuration repair = draws_.repair(lease, jobs_[lease.job].job, rule, number, machine);
  const GpuCount gpus = gpus_of_machine(lease, machine);
  books_.lose(lease.pool, static_cast<std::size_t>(source), gpus, now());
  agenda_.at_or_soon(
      now() + rule.notice + repair, Phase::repairs,
      {.kind = EventKind::repaired,
       .subject = static_cast<std::uint32_t>(lease.pool) << 8 | static_cast<std::uint32_t>(source),
       .detail = static_cast<std::uint32_t>(gpus.count())});
}

// GPUs that are gone when that machine of the lease breaks.
GpuCount Run::gpus_of_machine(const Lease& lease, std::uint32_t machine) const {
  if (world_.is_held(lease.pool)) {
    const HeldPool& held = world_.held_pool(lease.pool);
    return held.share ? GpuCount{1} : held.machine_gpus();
  }
  const auto& parts = lease.candidate->parts;
  const Part& part = machine < static_cast<std::uint32_t>(parts[0].machines) ? parts[0] : parts[1];
  return GpuCount{part.gpus};
}

void Run::repaired(Event event) {
  const PoolId id{static_cast<std::uint16_t>(event.subject >> 8)};
  const std::size_t source = event.subject & 0xff;
  books_.restore(id, source, GpuCount{event.detail}, now());
  start_ready(books_.pool(id), books_.pool(id).sources[source]);
  touch(id);
}

}  // namespace stockout
