#include "models/simulation/market/market.h"

#include <algorithm>
#include <bit>

namespace stockout {
namespace {

constexpr unsigned kAttemptBits = 24;

// What keys the draws of the lease that a request becomes: rivals of one attempt differ.
std::uint32_t draw_key(const Request& request, const JobState& job) {
  if (request.leg->race != Race::first_boot) return job.asks.attempt;
  const auto place = request.candidate - request.leg->candidates[index(job.job.shape)].data();
  return job.asks.attempt + (static_cast<std::uint32_t>(place) << kAttemptBits);
}

// Whether its machines are free is not known yet.
LeaseTimes not_up(SimTime granted) {
  return {.granted = granted, .up = kNever, .working = kNever, .ends = kNever};
}

}  // namespace

Market::Market(Tables& tables, Agenda& agenda, Books& books, Recorder& recorder, Gangs& gangs,
               Spreads& spreads, LeaseStart& starts, Flights& flights, MakingWay& making_way,
               Requests& requests, Outcomes& outcomes)
    : tables_{tables},
      agenda_{agenda},
      books_{books},
      recorder_{recorder},
      gangs_{gangs},
      spreads_{spreads},
      starts_{starts},
      flights_{flights},
      making_way_{making_way},
      requests_{requests},
      outcomes_{outcomes} {}

// Nothing comes to a stage once the dispatch is under way, so that it is known beforehand which are empty.
void Market::begin_dispatch(PoolId id) {
  const PoolState& pool = books_.pool(id);
  serving_.pool = id;
  serving_.next = 0;
  serving_.stages = 0;
  const auto add = [&](Stage stage, bool has_any) {
    serving_.stages |= static_cast<std::uint32_t>(has_any) << static_cast<unsigned>(stage);
  };
  add(Stage::bookings, !pool.claims.gathering.empty());
  add(Stage::turns, !pool.claims.to_create.empty());
  add(pool.spec->flex_before_on_demand ? Stage::early_queue : Stage::queue, pool.queue.size() > 0);
  add(Stage::served, pool.held != nullptr && (pool.held->scaling || !pool.spec->faults.empty()));
  if (pool.at_once.empty()) return;
  add(Stage::reserved, pool.at_once.has(LeaseClass::reserved));
  add(Stage::on_demand, pool.at_once.has(LeaseClass::on_demand));
  add(Stage::flex, pool.at_once.has(LeaseClass::flex));
  add(Stage::spot, pool.at_once.has(LeaseClass::spot));
}

bool Market::decide() {
  PoolState& pool = books_.pool(serving_.pool);
  for (; serving_.stages != 0; serving_.stages &= serving_.stages - 1, serving_.next = 0) {
    if (decide_in(static_cast<Stage>(std::countr_zero(serving_.stages)), pool)) return true;
  }
  check_capacity(pool);
  return false;
}

bool Market::decide_in(Stage stage, PoolState& pool) {
  switch (stage) {
    case Stage::bookings:
      return call_once(Outcome::Kind::gathers);
    case Stage::turns:
      return call_turn(pool);
    case Stage::reserved:
      return decide_at_once(pool, LeaseClass::reserved);
    case Stage::early_queue:
      return decide_in_queue(pool);
    case Stage::on_demand:
      return decide_at_once(pool, LeaseClass::on_demand);
    case Stage::queue:
      return decide_in_queue(pool);
    case Stage::flex:
      return decide_at_once(pool, LeaseClass::flex);
    case Stage::spot:
      return decide_at_once(pool, LeaseClass::spot);
    case Stage::served:
      return call_once(Outcome::Kind::served);
  }
  return false;
}

// Held pools have their part in the dispatch.
bool Market::call_once(Outcome::Kind kind) {
  if (serving_.next++ > 0) return false;
  outcomes_.add({.kind = kind, .pool = serving_.pool});
  return true;
}

// Those that have asked by now, in pool order.
bool Market::call_turn(PoolState& pool) {
  if (serving_.next == 0) {
    serving_.turns.clear();
    serving_.turns.swap(pool.claims.to_create);
    std::ranges::sort(serving_.turns);
  }
  if (serving_.next == serving_.turns.size()) return false;
  outcomes_.add({.kind = Outcome::Kind::turn, .pool = serving_.turns[serving_.next++]});
  return true;
}

// At-once requests of a class, in the order in which they were made: granted or refused, one by one. Those
// that were withdrawn meanwhile have left a gap.
bool Market::decide_at_once(PoolState& pool, LeaseClass lease_class) {
  if (serving_.next == 0) grow_leases(pool, lease_class);
  auto& requests = pool.at_once.requests(lease_class);
  while (serving_.next < requests.size()) {
    const RequestSlot slot = requests[serving_.next++];
    if (slot == kNoRequest) continue;
    const Request& asked = tables_.requests[slot];
    if (asked.leg->spreads(*asked.candidate)) {
      decide_spread(slot);
      return true;
    }
    const GpuCount gpus = grantable_gpus(asked, room_at_once(pool, lease_class));
    gpus > GpuCount{0} && pool.has_hosts(*asked.candidate, *asked.leg) ? grant(slot, gpus) : refuse(slot);
    return true;
  }
  requests.clear();
  return false;
}

bool Market::decide_in_queue(PoolState& pool) {
  if (pool.held != nullptr && now() >= pool.held->until) return false;
  const RequestSlot next = next_in_queue(pool);
  if (next == kNoRequest) return false;
  if (!is_flight(next)) {
    requests_.may_start(next) ? grant(next, tables_.requests[next].candidate->gpus) : turn_away(next);
  } else if (flights_.can_start(flight_of(next))) {
    flights_.start(flight_of(next));
  } else {
    recorder_.requests().closed();
    const Request request = flights_.to_rooms(flight_of(next));
    give(request, request.candidate->gpus);
  }
  return true;
}

// The next of the queue that has room, and hosts. Where free room gathers for its head, nobody else is
// granted.
RequestSlot Market::next_in_queue(PoolState& pool) {
  const GpuCount room = pool.room(pool.held != nullptr ? LeaseClass::reserved : LeaseClass::flex);
  if (!pool.hosts && !pool.spec->hold_for_head) return pool.first_waiting(room);
  const auto fits = [&](RequestSlot slot) {
    const Request& request = tables_.requests[slot];
    return request.candidate->gpus <= room && pool.has_hosts(*request.candidate, *request.leg);
  };
  if (!pool.spec->hold_for_head) {
    return RequestSlot{pool.queue.first_that([&](std::uint32_t id) { return fits(RequestSlot{id}); })};
  }
  const RequestSlot head = pool.head_of_queue();
  return head != kNoRequest && fits(head) ? head : kNoRequest;
}

GpuCount Market::room_at_once(const PoolState& pool, LeaseClass lease_class) const {
  const GpuCount room = pool.room(lease_class);
  if (!pool.spec->hold_for_head || lease_class == LeaseClass::reserved) return room;
  const bool shares =
      pool.source(lease_class) != nullptr && pool.source(lease_class) == pool.source(LeaseClass::flex);
  const RequestSlot head = shares ? pool.head_of_queue() : kNoRequest;
  return head != kNoRequest ? room - tables_.requests[head].candidate->gpus : room;
}

bool Market::has_room(const Candidate& candidate, const Leg& leg) {
  const PoolState& pool = books_.pool(candidate.pool);
  return candidate.gpus <= room_at_once(pool, leg.policy.lease_class) && pool.has_hosts(candidate, leg);
}

void Market::refuse(RequestSlot slot) {
  const Request request = tables_.requests[slot];
  const LeaseClass lease_class = request.leg->policy.lease_class;
  PoolState& pool = books_.pool(request.candidate->pool);
  count_refusal(pool, lease_class, request.candidate->gpus <= room_at_once(pool, lease_class));
  ++pool.counts.requests_ended;
  const SourceState* source = pool.source(lease_class);
  if (source != nullptr && source->is_censored()) ++pool.totals.censored_grants;
  recorder_.refused(request, tables_.jobs[request.job]);
  requests_.close(slot);
  outcomes_.add({.kind = Outcome::Kind::refused, .job = request.job});
}

// A waiting request may not be granted, though it has room.
void Market::turn_away(RequestSlot slot) {
  const Request request = tables_.requests[slot];
  requests_.withdraw(slot);
  outcomes_.add({.kind = Outcome::Kind::turned_away,
                 .leg = request.leg_number,
                 .job = request.job,
                 .generation = tables_.jobs[request.job].generation});
}

void Market::grant(RequestSlot slot, GpuCount gpus) { give(requests_.close(slot), gpus); }

// What it asks for is its own.
void Market::give(const Request& request, GpuCount gpus) {
  is_granted(request);
  PoolState& pool = books_.pool(request.candidate->pool);
  const LeaseSlot lease = enter(request, *request.candidate, gpus);
  outcomes_.add(
      {.kind = Outcome::Kind::granted, .leg = request.leg_number, .job = request.job, .lease = lease});
  if (request.leg->partial) gangs_.begin(lease);
  settle_grant(pool, request.leg->policy.lease_class);
  if (!books_.delayed().add_if_taken(pool, lease, gpus)) starts_.start(lease, gpus);
}

// A gang that may be placed in several pools gets its machines in all of them now, or in none.
void Market::decide_spread(RequestSlot slot) {
  const Request& asked = tables_.requests[slot];
  const LeaseClass lease_class = asked.leg->policy.lease_class;
  const std::vector<Candidate> shares =
      spreads_.shares_of(asked, [&](const PoolState& pool) { return room_at_once(pool, lease_class); });
  shares.empty() ? refuse(slot) : give_spread(requests_.close(slot), shares);
}

void Market::give_spread(const Request& request, const std::vector<Candidate>& shares) {
  is_granted(request);
  const SpreadSlot spread = spreads_.add(shares);
  for (const Candidate& share : spreads_.shares(spread))
    spreads_.join(spread, enter(request, share, share.gpus));
  const std::vector<LeaseSlot> leases = spreads_.leases(spread);
  outcomes_.add({.kind = Outcome::Kind::granted,
                 .leg = request.leg_number,
                 .job = request.job,
                 .lease = leases.front()});
  for (const LeaseSlot lease : leases) {
    PoolState& pool = books_.pool(books_.leases()[lease].pool);
    const GpuCount gpus = books_.leases()[lease].gpus;
    settle_grant(pool, request.leg->policy.lease_class);
    if (!books_.delayed().add_if_taken(pool, lease, gpus)) starts_.start(lease, gpus);
  }
}

// A lease of `gpus` of what the share is for.
LeaseSlot Market::enter(const Request& request, const Candidate& share, GpuCount gpus) {
  PoolState& pool = books_.pool(share.pool);
  JobState& job = tables_.jobs[request.job];
  const LeaseClass lease_class = request.leg->policy.lease_class;
  std::span<const HostShare> hosts;
  if (pool.hosts != nullptr) {
    hosts = making_way_.find_hosts(pool, lease_class, share.footprint(request.leg->compact));
  }
  job.lease =
      books_.grant({.job = request.job,
                    .pool = share.pool,
                    .lease_class = lease_class,
                    .tenant = job.record == kNotRecorded,
                    .gpus = gpus,
                    .links = {.next_of_job = job.lease},
                    .asked = {.candidate = &share, .leg = request.leg, .attempt = draw_key(request, job)},
                    .times = not_up(now())},
                   hosts);
  recorder_.granted(job.job.row, share.pool, job.record != kNotRecorded && !job.history.ever_granted());
  return job.lease;
}

// Spot leases make room if it took more than was free.
void Market::settle_grant(PoolState& pool, LeaseClass lease_class) {
  const SourceState* source = pool.source(lease_class);
  if (source != nullptr && source->is_over_full()) making_way_.make_room(pool, *source);
}

// Partial leases take what they can of what is free, in the order in which they asked.
void Market::grow_leases(PoolState& pool, LeaseClass lease_class) {
  for (const LeaseSlot slot : pool.at_once.take_up(lease_class)) {
    const Lease& lease = books_.leases()[slot];
    if (lease.ending.leaving) continue;
    const std::int64_t machines = gangs_.machines_for(lease, room_at_once(pool, lease_class));
    if (machines == 0) continue;
    const GpuCount gpus = gangs_.grow(slot, machines);
    settle_grant(pool, lease_class);
    if (!books_.delayed().add_if_taken(pool, slot, gpus)) starts_.start(slot, gpus);
  }
}

LeaseSlot Market::lease_machines(PoolId held, const HeldPool& spec, MachineCount machines,
                                 LeaseClass lease_class, std::uint32_t number) {
  PoolState& landlord = books_.pool(spec.landlord);
  const GpuCount gpus = spec.machine_gpus() * machines.count();
  const bool has_room = gpus <= landlord.room(lease_class);
  if (has_room && landlord.has_hosts(lease_class, footprint_of(spec, machines))) {
    return take_machines(held, spec, machines, lease_class, number);
  }
  ++landlord.of_class(lease_class).requests;
  count_refusal(landlord, lease_class, has_room);
  recorder_.log().machines_refused(spec, lease_class, gpus);
  return kNoLease;
}

LeaseSlot Market::take_machines(PoolId held, const HeldPool& spec, MachineCount machines,
                                LeaseClass lease_class, std::uint32_t number) {
  PoolState& landlord = books_.pool(spec.landlord);
  ++landlord.of_class(lease_class).requests;
  const GpuCount gpus = spec.machine_gpus() * machines.count();
  const auto hosts = making_way_.find_hosts(landlord, lease_class, footprint_of(spec, machines));
  const LeaseSlot lease = books_.grant({.pool = spec.landlord,
                                        .lease_class = lease_class,
                                        .gpus = gpus,
                                        .times = not_up(now()),
                                        .holder = {.pool = held, .machine = number == 0 ? 0 : number - 1}},
                                       hosts);
  recorder_.machines_granted(held, number);
  settle_grant(landlord, lease_class);
  if (!books_.delayed().add_if_taken(landlord, lease, gpus)) {
    outcomes_.add({.kind = Outcome::Kind::machines_free, .lease = lease, .pool = held});
  }
  return lease;
}

void Market::count_refusal(PoolState& pool, LeaseClass lease_class, bool had_room) {
  ++pool.of_class(lease_class).refusals;
  if (pool.hosts != nullptr && had_room) ++pool.totals.misfits;
}

}  // namespace stockout
