#include "models/simulation/market/held_leases.h"

#include <algorithm>

#include <fmt/format.h>

namespace stockout {

bool HeldLeases::are_there(PoolId id) {
  if (spec(id).added_supply) return true;
  const LeaseSlot lease = state(id).lease;
  return lease != kNoLease && books_.leases()[lease].parts.delayed == 0;
}

void HeldLeases::release(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  books_.release(slot, agenda_.now(), lease.gpus * (agenda_.now() - lease.times.granted));
}

void HeldLeases::landlord_has_more(PoolId id, LeaseClass lease_class) {
  PoolState& pool = landlord(id);
  if (SourceState* source = pool.source(lease_class)) starts_.start_ready(pool, *source);
  touched_.touch(spec(id).landlord, agenda_.now());
}

void HeldLeases::add_span(PoolId id, MachineCount machines, SimTime since, SimTime until) {
  since = std::max(kStart, since);
  if (since < until) state(id).spans.push_back({.machines = machines, .since = since, .until = until});
}

void HeldLeases::settle(PoolId id) {
  const HeldPool& held = spec(id);
  const HeldState& was = state(id);
  const PoolState& pool = books_.pool(id);
  GpuTime paid{};
  for (const HeldSpan& span : was.spans) {
    const SimTime end = std::min(span.until, recorder_.hold_end());
    if (span.since < end) recorder_.meter().held_paid(held, span.machines, span.since, end);
    const SimDuration length = std::min(span.until, agenda_.now()) - span.since;
    paid += held.machine_gpus() * span.machines.count() * std::max(SimDuration::zero(), length);
  }
  if (paid == GpuTime{}) return;
  std::int64_t sublet = 0;
  std::int64_t by_tenants = 0;  // who are not in the ledger
  for (const Area& leased : pool.counts.leased_area) sublet += leased.in_window(agenda_.now());
  for (const Area& leased : pool.counts.tenant_area) by_tenants += leased.in_window(agenda_.now());
  const GpuTime idle = paid - GpuTime{sublet};
  // Where machines break, a gang may be granted machines that another has not left yet: both are counted.
  STOCKOUT_CHECK(idle >= GpuTime{} || !held.pool.faults.empty(),
                 fmt::format("{}: more was sublet than held", held.pool.name));
  recorder_.meter().held_used(held, GpuTime{sublet - by_tenants}, idle);
}

}  // namespace stockout
