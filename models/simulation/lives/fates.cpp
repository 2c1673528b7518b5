#include "models/simulation/lives/fates.h"

#include <algorithm>
#include <vector>

namespace stockout {

void Fates::set(LeaseSlot slot) {
  set_life(slot);
  set_fault(slot);
}

void Fates::set_life(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  if (world_.is_held(lease.pool)) return;
  // Where all live equally long, one speaks for them.
  const bool differ = lease.asked.leg->policy.lifetime.is_random() || mass_reclaims_.concern(lease);
  const std::int64_t machines = differ ? lease.asked.candidate->machines() : 1;
  SimDuration life = kForever;
  for (std::int64_t i = 0; i < machines; ++i)
    life = std::min(life, life_of(lease, static_cast<std::uint64_t>(i), lease.times.up));
  if (life == kForever) return;
  lease.timers.life =
      agenda_.at(lease.times.up + life, Phase::lifetimes, Event::of(EventKind::life_over, slot));
}

void Fates::set_fault(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  const std::vector<FaultRule>& rules = world_.pool(lease.pool).faults;
  if (rules.empty()) return;
  const auto machines = static_cast<std::uint64_t>(lease.asked.candidate->machines());
  SimDuration first = kForever;
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    for (std::uint64_t i = 0; i < machines; ++i) {
      const SimDuration life = draws_.time_to_fault(lease, job_of(lease), rules[rule], rule, i);
      if (life >= first) continue;
      first = life;
      lease.ending.fault_rule = static_cast<std::uint8_t>(rule);
      lease.ending.fault_machine = static_cast<std::uint32_t>(i);
    }
  }
  if (first == kForever) return;
  lease.timers.fault =
      agenda_.at(lease.times.up + first, Phase::lifetimes, Event::of(EventKind::fault, slot));
}

void Fates::set_each(LeaseSlot slot, Gangs::Batch batch) {
  const Lease& lease = books_.leases()[slot];
  for (std::size_t i = batch.first; i < batch.end; ++i) {
    PartialMachine& machine = gangs_.all_of(lease)[i];
    machine.life = set_life_of(slot, i, machine.up);
  }
  for (std::size_t i = batch.first; i < batch.end; ++i) set_fault_of(slot, i);
}

// Until the provider takes it, by itself or with others.
SimDuration Fates::life_of(const Lease& lease, std::uint64_t machine, SimTime up) {
  const Job& job = job_of(lease);
  const SimDuration with_others = mass_reclaims_.life(lease, job, machine, up);
  return std::min(draws_.machine_life(lease, job, machine), with_others);
}

EventHandle Fates::set_life_of(LeaseSlot slot, std::size_t machine, SimTime up) {
  const Lease& lease = books_.leases()[slot];
  const SimDuration life = life_of(lease, machine, up);
  if (life == kForever) return {};
  return agenda_.at(up + life, Phase::lifetimes, Event::of(EventKind::life_over, slot, machine));
}

void Fates::set_fault_of(LeaseSlot slot, std::size_t number) {
  const Lease& lease = books_.leases()[slot];
  PartialMachine& machine = gangs_.all_of(lease)[number];
  const std::vector<FaultRule>& rules = world_.pool(lease.pool).faults;
  SimDuration first = kForever;
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    const SimDuration life = draws_.time_to_fault(lease, job_of(lease), rules[rule], rule, number);
    if (life >= first) continue;
    first = life;
    machine.fault_rule = static_cast<std::uint8_t>(rule);
  }
  if (first == kForever) return;
  machine.fault = agenda_.at(machine.up + first, Phase::lifetimes, Event::of(EventKind::fault, slot, number));
}

void Fates::break_machine(const Lease& lease, std::uint8_t number, std::uint32_t machine) {
  const FaultRule& rule = world_.pool(lease.pool).faults[number];
  const PoolState& pool = books_.pool(lease.pool);
  const std::int8_t source = pool.source_of[static_cast<std::size_t>(lease.lease_class)];
  if (source == PoolState::kUnlimited) return;
  const SimDuration repair = draws_.repair(lease, job_of(lease), rule, number, machine);
  const GpuCount gpus = gpus_of_machine(lease, machine);
  books_.lose(lease.pool, static_cast<std::size_t>(source), gpus, agenda_.now());
  agenda_.at_or_soon(
      agenda_.now() + rule.notice + repair, Phase::repairs,
      {.kind = EventKind::repaired,
       .subject = static_cast<std::uint32_t>(lease.pool) << 8 | static_cast<std::uint32_t>(source),
       .detail = static_cast<std::uint32_t>(gpus.count())});
}

GpuCount Fates::gpus_of_machine(const Lease& lease, std::uint32_t machine) const {
  if (world_.is_held(lease.pool)) {
    const HeldPool& held = world_.held_pool(lease.pool);
    return held.share ? GpuCount{1} : held.machine_gpus();
  }
  const auto& parts = lease.asked.candidate->parts;
  // Equal machines have higher numbers, too, where lost ones were re-created.
  const bool is_smaller = parts[1].machines > 0 && machine >= static_cast<std::uint32_t>(parts[0].machines);
  return GpuCount{parts[is_smaller ? 1 : 0].gpus};
}

}  // namespace stockout
