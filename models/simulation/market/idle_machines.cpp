#include "models/simulation/market/idle_machines.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout {

// Where jobs share machines, each GPU breaks by itself, as under a lease.
GpuCount IdleMachines::unit_of(PoolId id) const {
  const HeldPool& spec = held_.spec(id);
  return spec.share ? GpuCount{1} : spec.machine_gpus();
}

void IdleMachines::review(PoolId id) {
  if (held_.spec(id).pool.faults.empty() || held_.state(id).over) return;
  const SourceState& source = books_.pool(id).sources.front();
  const GpuCount free = std::max(GpuCount{0}, source.capacity - source.leased);
  const auto count = static_cast<std::size_t>(free.count() / unit_of(id).count());
  IdleOfPool& pool = pools_[held_.number(id)];
  while (pool.machines.size() < count) begin_idle(id, pool);
  for (; pool.machines.size() > count; pool.machines.pop_back()) agenda_.cancel(pool.machines.back().fault);
}

void IdleMachines::clear(PoolId id) {
  IdleOfPool& pool = pools_[held_.number(id)];
  for (const Idle& machine : pool.machines) agenda_.cancel(machine.fault);
  pool.machines.clear();
}

void IdleMachines::begin_idle(PoolId id, IdleOfPool& pool) {
  const std::vector<FaultRule>& rules = held_.spec(id).pool.faults;
  Idle machine{.number = pool.ever++};
  SimDuration first = kForever;
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    const SimDuration life = draws_.idle_until_fault(rules[rule], rule, held_.number(id), machine.number);
    if (life >= first) continue;
    first = life;
    machine.rule = static_cast<std::uint8_t>(rule);
  }
  if (first != kForever) {
    machine.fault = agenda_.at(agenda_.now() + first, Phase::lifetimes,
                               Event::of(EventKind::idle_fault, id, machine.number));
  }
  pool.machines.push_back(machine);
}

void IdleMachines::play_fault(Event event) {
  const PoolId id = event.pool();
  const std::size_t held = held_.number(id);
  auto& machines = pools_[held].machines;
  const auto machine = std::ranges::find(machines, event.detail, &Idle::number);
  STOCKOUT_CHECK(machine != machines.end());
  const FaultRule& rule = held_.spec(id).pool.faults[machine->rule];
  const SimDuration repair = draws_.idle_repair(rule, machine->rule, held, machine->number);
  machines.erase(machine);
  books_.lose(id, 0, unit_of(id), agenda_.now());
  agenda_.at_or_soon(agenda_.now() + repair, Phase::repairs,
                     {.kind = EventKind::repaired,
                      .subject = event.subject << 8,
                      .detail = static_cast<std::uint32_t>(unit_of(id).count())});
  touched_.touch(id, agenda_.now());
}

}  // namespace stockout
