// Elastic pools (a persistent resource): machines come one by one as requests wait, and go when they are
// idle.

#include <algorithm>

#include "models/simulation/run.h"

namespace stockout {
namespace {

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) {
  return value > 0 ? (value + unit - 1) / unit : value / unit;
}

}  // namespace

GpuCount Run::free_gpus(PoolId id) {
  const SourceState& source = books_.pool(id).sources.front();
  return std::max(GpuCount{0}, source.capacity - source.leased);
}

// How many more machines the pool would have now.
std::int64_t Run::machines_wanted(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  const HeldState& state = held_state(id);
  const std::int64_t gpus = held.machine_gpus().count();
  const std::int64_t lacking = books_.pool(id).waiting_gpus.count() - free_gpus(id).count() -
                               static_cast<std::int64_t>(state.coming.size()) * gpus;
  return std::max(held.scaling->least.count() - state.machines(),
                  std::min(held.machines.count() - state.machines(), rounded_up(lacking, gpus)));
}

// At the end of each dispatch of the elastic pool.
void Run::mind_elastic(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  HeldState& state = held_state(id);
  if (state.over || now() < held.from || now() >= held.until) return;
  count_idle(id);
  shrink(id);
  if (state.asking || machines_wanted(id) <= 0) return;
  state.asking = true;
  ask_landlord(id);
}

void Run::count_idle(PoolId id) {
  HeldState& state = held_state(id);
  const auto free =
      static_cast<std::size_t>(free_gpus(id).count() / world_.held_pool(id).machine_gpus().count());
  state.idle.resize(free, now());
}

void Run::shrink(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  HeldState& state = held_state(id);
  agenda_.cancel(state.idle_timer);
  if (books_.pool(id).queue.size() > 0) return;
  while (state.machines() > held.scaling->least.count() && !state.idle.empty()) {
    const SimTime at = later(state.idle.front(), held.scaling->idle_after);
    if (at > now()) {
      if (at == kNever) return;
      state.idle_timer = schedule_held(at, EventKind::held_idle, id);
      return;
    }
    state.idle.pop_front();
    const LeaseSlot machine = state.there.front();
    state.there.pop_front();
    give_back(id, machine);
    landlord_has_more(held);
  }
}

// In the landlord's dispatch: as many of the machines wanted as there is room for.
void Run::grow(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  HeldState& state = held_state(id);
  PoolState& landlord = books_.pool(held.landlord);
  const LeaseClass lease_class = held.scaling->lease_class;
  state.asking = false;
  for (std::int64_t wanted = machines_wanted(id); wanted > 0; --wanted) {
    ++landlord.of_class(lease_class).requests;
    const bool has_room = held.machine_gpus() <= landlord.room(lease_class);
    if (!has_room || !has_hosts(landlord, lease_class, footprint_of(held, MachineCount{1}))) {
      count_refusal(landlord, lease_class, has_room);
      recorder_.machines_refused(held, lease_class, held.machine_gpus());
      state.asking = true;
      return ask_again(id);
    }
    take_machine(id);
  }
}

void Run::take_machine(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  HeldState& state = held_state(id);
  PoolState& landlord = books_.pool(held.landlord);
  const auto hosts = find_hosts(landlord, held.scaling->lease_class, footprint_of(held, MachineCount{1}));
  const LeaseSlot lease = books_.grant({.pool = held.landlord,
                                        .lease_class = held.scaling->lease_class,
                                        .held = id,
                                        .machine = state.machines_ever++,
                                        .gpus = held.machine_gpus(),
                                        .granted = now(),
                                        .up = kNever,
                                        .working = kNever,
                                        .ends = kNever},
                                       hosts);
  state.coming.push_back(lease);
  recorder_.machines_granted(id, state.machines_ever);
  settle_grant(landlord, held.scaling->lease_class);
  if (!books_.delay_if_taken(lease, held.machine_gpus())) machines_free(lease);
}

void Run::machine_there(PoolId id, LeaseSlot slot) {
  const HeldPool& held = world_.held_pool(id);
  HeldState& state = held_state(id);
  books_.leases()[slot].up = now();
  std::erase(state.coming, slot);
  state.there.push_back(slot);
  if (state.since == kNever) state.since = now();
  books_.resize(id, 0, books_.pool(id).sources.front().nominal + held.machine_gpus(), now());
  touch(id);
}

// A machine that is there goes back to the landlord.
void Run::give_back(PoolId id, LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  books_.resize(id, 0, books_.pool(id).sources.front().nominal - lease.gpus, now());
  add_span(id, MachineCount{1}, lease.gpus, lease.up);
  books_.release(slot, now(), lease.gpus * (now() - lease.granted));
}

void Run::give_all_back(PoolId id) {
  HeldState& state = held_state(id);
  for (const LeaseSlot slot : state.there) give_back(id, slot);
  state.there.clear();
  for (const LeaseSlot slot : state.coming) {
    const Lease& lease = books_.leases()[slot];
    agenda_.cancel(lease.end_event);
    books_.release(slot, now(), lease.gpus * (now() - lease.granted));
  }
  state.coming.clear();
}

}  // namespace stockout
