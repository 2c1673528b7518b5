#include "models/simulation/market/elastic_pools.h"

#include <algorithm>

namespace stockout {
namespace {

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) {
  return value > 0 ? (value + unit - 1) / unit : value / unit;
}

}  // namespace

GpuCount ElasticPools::free_gpus(PoolId id) {
  const SourceState& source = books_.pool(id).sources.front();
  return std::max(GpuCount{0}, source.capacity - source.leased);
}

// How many more machines the pool would have now.
std::int64_t ElasticPools::machines_wanted(PoolId id) {
  const HeldPool& spec = held_.spec(id);
  const ElasticState& elastic = held_.state(id).elastic;
  const std::int64_t gpus = spec.machine_gpus().count();
  const std::int64_t lacking = books_.pool(id).counts.waiting_gpus.count() - free_gpus(id).count() -
                               static_cast<std::int64_t>(elastic.coming.size()) * gpus;
  return std::max(spec.scaling->least_at(now()).count() - elastic.machines(),
                  std::min(spec.machines.count() - elastic.machines(), rounded_up(lacking, gpus)));
}

bool ElasticPools::mind(PoolId id) {
  const HeldPool& spec = held_.spec(id);
  HeldState& state = held_.state(id);
  if (state.over || now() < spec.from || now() >= spec.until) return false;
  count_idle(id);
  shrink(id);
  if (state.elastic.asking || machines_wanted(id) <= 0) return false;
  state.elastic.asking = true;
  return true;
}

void ElasticPools::count_idle(PoolId id) {
  const auto free = static_cast<std::size_t>(free_gpus(id).count() / held_.spec(id).machine_gpus().count());
  held_.state(id).elastic.idle.resize(free, now());
}

void ElasticPools::shrink(PoolId id) {
  const Scaling& rule = *held_.spec(id).scaling;
  ElasticState& elastic = held_.state(id).elastic;
  agenda_.cancel(elastic.idle_timer);
  if (books_.pool(id).queue.size() > 0) return;
  const std::int64_t least = rule.least_at(now()).count();
  while (elastic.machines() > least && !elastic.idle.empty()) {
    const SimTime at =
        std::max(later(elastic.idle.front(), rule.idle_after), later(elastic.added, rule.after_add));
    if (at > now()) {
      if (at != kNever) elastic.idle_timer = held_.set(at, EventKind::held_idle, id);
      return;
    }
    elastic.idle.pop_front();
    const LeaseSlot machine = elastic.there.front();
    elastic.there.pop_front();
    give_back(id, machine);
    held_.landlord_has_more(id, rule.lease_class);
  }
}

void ElasticPools::grow(PoolId id) {
  const HeldPool& spec = held_.spec(id);
  ElasticState& elastic = held_.state(id).elastic;
  elastic.asking = false;
  for (std::int64_t wanted = machines_wanted(id); wanted > 0; --wanted) {
    const LeaseSlot lease = market_.lease_machines(id, spec, MachineCount{1}, spec.scaling->lease_class,
                                                   elastic.machines_ever + 1);
    if (lease == kNoLease) {
      elastic.asking = true;
      return held_.ask_again(id);
    }
    ++elastic.machines_ever;
    elastic.added = now();
    elastic.coming.push_back(lease);
  }
}

void ElasticPools::start(PoolId id, LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  const SimDuration cold =
      draws_.cold_start(held_.spec(id).scaling->cold_start, held_.number(id), lease.holder.machine);
  lease.timers.end =
      agenda_.at_or_soon(now() + cold, Phase::held, Event::of(EventKind::machine_there, slot, index(id)));
}

void ElasticPools::machine_there(PoolId id, LeaseSlot slot) {
  HeldState& state = held_.state(id);
  books_.leases()[slot].times.up = now();
  std::erase(state.elastic.coming, slot);
  state.elastic.there.push_back(slot);
  if (state.since == kNever) state.since = now();
  held_.resize(id, books_.pool(id).sources.front().nominal + held_.spec(id).machine_gpus());
  touched_.touch(id, now());
}

// A machine that is there goes back to the landlord.
void ElasticPools::give_back(PoolId id, LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  held_.resize(id, books_.pool(id).sources.front().nominal - lease.gpus);
  held_.add_span(id, MachineCount{1}, lease.times.up, agenda_.now());
  held_.release(slot);
}

void ElasticPools::give_all_back(PoolId id) {
  ElasticState& elastic = held_.state(id).elastic;
  for (const LeaseSlot slot : elastic.there) give_back(id, slot);
  elastic.there.clear();
  for (const LeaseSlot slot : elastic.coming) {
    agenda_.cancel(books_.leases()[slot].timers.end);
    held_.release(slot);
  }
  elastic.coming.clear();
}

}  // namespace stockout
