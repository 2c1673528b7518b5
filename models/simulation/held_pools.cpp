// Held pools: how a reservation, a booking or an elastic pool gets its machines and gives them back.

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/simulation/run.h"

namespace stockout {

// What is due at or before the first instant, the landlord's part at once.
void Run::begin_held(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  if (held.until != kNever) held_state(id).end = schedule_held(held.until, EventKind::held_until, id);
  if (held.booking) {
    at_or_now(held.booking->decided, EventKind::held_decided, id);
  } else {
    at_or_now(held.from, held.scaling ? EventKind::held_idle : EventKind::held_asks, id);
  }
}

EventHandle Run::schedule_held(SimTime at, EventKind kind, PoolId id) {
  return agenda_.at(at, Phase::held, Event::of(kind, id, index(id)));
}

void Run::at_or_now(SimTime at, EventKind kind, PoolId id) {
  if (at > now()) return static_cast<void>(schedule_held(at, kind, id));
  play_held(kind, id, kNoLease);
}

// Everything due for held pools at this instant: by pool, then by kind, then by machine.
void Run::do_held_pools() {
  std::vector<Event> due;
  for (Event event{}; agenda_.take(Phase::held, event);) due.push_back(event);
  std::ranges::stable_sort(due, {}, [this](const Event& event) {
    const bool is_machine = event.kind == EventKind::machine_there;
    return std::tuple{event.detail, event.kind,
                      is_machine ? books_.leases()[event.lease()].machine : std::uint64_t{0}};
  });
  for (const Event& event : due) {
    const PoolId id{static_cast<std::uint16_t>(event.detail)};
    if (!held_state(id).over) play_held(event.kind, id, event.lease());
  }
}

void Run::play_held(EventKind kind, PoolId id, LeaseSlot lease) {
  switch (kind) {
    case EventKind::held_until:
      return end_held(id);
    case EventKind::held_decided:
      return accepts(id) ? accept_booking(id) : refuse_booking(id);
    case EventKind::held_gathers:
      return gather_for(id);
    case EventKind::held_opens:
      return is_held_there(id) ? open_held(id) : void();
    case EventKind::held_asks:
      return ask_landlord(id);
    case EventKind::machine_there:
      return machine_there(id, lease);
    default:  // held_idle
      touch(id);
      if (!agenda_.has_begun()) mind_elastic(id);
  }
}

// A reservation, or an elastic pool that asks again.
void Run::ask_landlord(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  if (held.added_supply) return open_held(id);
  if (!agenda_.has_begun()) return create_held(id);
  books_.pool(held.landlord).to_create.push_back(id);
  touch(held.landlord);
}

// In the landlord's dispatch.
void Run::create_held(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  if (held_state(id).over || now() >= held.until) return;
  if (held.scaling) return grow(id);
  PoolState& landlord = books_.pool(held.landlord);
  const bool has_room = held.gpus <= landlord.room(LeaseClass::reserved);
  if (has_room && has_hosts(landlord, LeaseClass::reserved, footprint_of(held, held.machines)))
    return take_machines(id);
  ++landlord.of_class(LeaseClass::reserved).requests;
  count_refusal(landlord, LeaseClass::reserved, has_room);
  recorder_.machines_refused(held, LeaseClass::reserved, held.gpus);
  ask_again(id);
}

void Run::ask_again(PoolId id) {
  held_state(id).ask = schedule_held(now() + world_.held_pool(id).retry_every, EventKind::held_asks, id);
}

// All machines of a reservation or booking are granted at once.
void Run::take_machines(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  PoolState& landlord = books_.pool(held.landlord);
  ++landlord.of_class(LeaseClass::reserved).requests;
  const auto hosts = find_hosts(landlord, LeaseClass::reserved, footprint_of(held, held.machines));
  const LeaseSlot lease = books_.grant({.pool = held.landlord,
                                        .lease_class = LeaseClass::reserved,
                                        .held = id,
                                        .gpus = held.gpus,
                                        .granted = now(),
                                        .up = kNever,
                                        .working = kNever,
                                        .ends = kNever},
                                       hosts);
  held_state(id).lease = lease;
  recorder_.machines_granted(id);
  settle_grant(landlord, LeaseClass::reserved);
  if (!books_.delay_if_taken(lease, held.gpus)) machines_free(lease);
}

// The machines of a lease that a held pool has on its landlord are free for it.
void Run::machines_free(LeaseSlot slot) {
  Lease& lease = books_.leases()[slot];
  const PoolId id = lease.held;
  const HeldPool& held = world_.held_pool(id);
  if (!held.scaling) return at_or_now(held.from, EventKind::held_opens, id);
  const SimDuration cold = draws_.cold_start(held.scaling->cold_start, held_number(id), lease.machine);
  lease.end_event =
      agenda_.at_or_soon(now() + cold, Phase::held, Event::of(EventKind::machine_there, slot, index(id)));
}

bool Run::is_held_there(PoolId id) {
  const HeldState& state = held_state(id);
  if (world_.held_pool(id).added_supply) return true;
  return state.lease != kNoLease && books_.leases()[state.lease].delayed == 0;
}

// The machines of a held pool are there: it has capacity from now on.
void Run::open_held(PoolId id) {
  held_state(id).since = now();
  books_.resize(id, 0, world_.held_pool(id).gpus, now());
  touch(id);
}

// Nobody is served any more; what still waits passes on.
void Run::end_held(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  close_held(id);
  landlord_has_more(held);
  touch(id);
  empty_queue(id);
}

void Run::landlord_has_more(const HeldPool& held) {
  PoolState& landlord = books_.pool(held.landlord);
  SourceState* source = landlord.source(held.scaling ? held.scaling->lease_class : LeaseClass::reserved);
  if (source != nullptr) start_ready(landlord, *source);
  touch(held.landlord);
}

// Gives all machines back, at its `until` or at the end of the run.
void Run::close_held(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  HeldState& state = held_state(id);
  state.over = true;
  route_.close(id);
  stop_gathering(id);
  agenda_.cancel(state.idle_timer);
  agenda_.cancel(state.ask);
  if (held.scaling) return give_all_back(id);
  if (state.lease != kNoLease) {
    const Lease& lease = books_.leases()[state.lease];
    books_.release(state.lease, now(), lease.gpus * (now() - lease.granted));
  }
  if (state.since == kNever) return;
  books_.resize(id, 0, GpuCount{0}, now());
  add_span(id, held.machines, held.gpus, state.since);
}

// Machines of a held pool that were there from `since` until now.
void Run::add_span(PoolId id, MachineCount machines, GpuCount gpus, SimTime since) {
  since = std::max(kStart, since);
  if (since >= now()) return;
  HeldState& state = held_state(id);
  state.spans.push_back({.machines = machines, .since = since, .until = now()});
  state.held_gpu_ms += (gpus * (now() - since)).count();
}

// Held machines are paid while they are there, at the latest until payment ends; what no job leased was idle.
void Run::book_held(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  const HeldState& state = held_state(id);
  const PoolState& pool = books_.pool(id);
  for (const HeldSpan& span : state.spans) {
    const SimTime end = std::min(span.until, recorder_.hold_end());
    if (span.since < end) recorder_.held_paid(held, span.machines, span.since, end);
  }
  if (state.held_gpu_ms == 0) return;
  std::int64_t sublet = 0;
  std::int64_t by_tenants = 0;  // who are not in the ledger
  for (const Area& leased : pool.leased_area) sublet += leased.in_window(now());
  for (const Area& leased : pool.tenant_area) by_tenants += leased.in_window(now());
  const GpuTime idle{state.held_gpu_ms - sublet};
  // Where machines break, a gang may be granted machines that another has not left yet: both are counted.
  STOCKOUT_CHECK(idle >= GpuTime{} || !held.pool.faults.empty(),
                 fmt::format("{}: more was sublet than held", held.pool.name));
  recorder_.held_used(held, GpuTime{sublet - by_tenants}, idle);
}

// Requests that wait for a pool which is over: all are withdrawn, then each job goes on.
void Run::empty_queue(PoolId id) {
  std::vector<std::pair<std::uint64_t, RequestSlot>> waiting;
  requests_.visit_slots([&](RequestSlot slot) {
    const Request& request = requests_[slot];
    if (request.job == kNoJob || !request.waiting || request.candidate->pool != id) return;
    waiting.emplace_back(request.key.order, slot);
  });
  std::ranges::sort(waiting);
  struct Left {
    JobSlot job;
    std::uint32_t generation;
    std::uint8_t leg;
  };
  std::vector<Left> left;
  for (const auto& [_, slot] : waiting) {
    const JobSlot job = requests_[slot].job;
    left.push_back({.job = job, .generation = jobs_[job].generation, .leg = requests_[slot].leg_number});
    withdraw(slot);
  }
  for (const Left& entry : left) {
    if (jobs_[entry.job].generation == entry.generation) lost_request(entry.job, entry.leg);
  }
}

// A request of that leg was withdrawn because its pool is over.
void Run::lost_request(JobSlot slot, std::uint8_t leg) {
  const JobState& job = jobs_[slot];
  if (job.lease != kNoLease) return;  // it was a rival's
  if (job.stage == Stage::past_legs && job.first_request == kNoRequest)
    return end_of_legs(slot, Exhaustion::patience);
  if (job.stage != Stage::queueing || job.leg != leg) return;
  for (RequestSlot r = job.first_request; r != kNoRequest; r = requests_[r].next_of_job) {
    if (requests_[r].leg_number == leg) return;
  }
  exhaust(slot, Exhaustion::impossible);
}

}  // namespace stockout
