// Bookings (Calendar mode, future reservations): the provider's answer, and gathering machines beforehand.

#include <algorithm>

#include "models/simulation/run.h"

namespace stockout {

// Whether the provider says yes to a booking now.
bool Run::accepts(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  if (!draws_.accepts(*held.booking, held_number(id))) return false;
  if (held.added_supply) return true;
  const SourceState* source = books_.pool(held.landlord).source(LeaseClass::reserved);
  if (source == nullptr) return true;
  const GpuCount bookable{source->capacity.count() * held.booking->bookable_ppm / 1'000'000};
  SimTime at = held.from;
  GpuCount most = promised_at(id, at);
  for (const PoolId other : strategy_.held) {  // promises grow where a window begins
    at = world_.held_pool(other).from;
    if (at > held.from && at < held.until) most = std::max(most, promised_at(id, at));
  }
  return held.gpus + most <= bookable;
}

// GPUs of the landlord that are promised away at `at` to held pools other than `id`.
GpuCount Run::promised_at(PoolId id, SimTime at) {
  const HeldPool& asking = world_.held_pool(id);
  const SourceState* source = books_.pool(asking.landlord).source(LeaseClass::reserved);
  GpuCount promised{};
  for (const PoolId other : strategy_.held) {
    const HeldPool& held = world_.held_pool(other);
    const HeldState& state = held_state(other);
    if (other == id || state.over || held.added_supply || held.landlord != asking.landlord ||
        at >= held.until)
      continue;
    if (held.booking) {
      if (state.accepted && at >= held.from) promised += held.gpus;
    } else if (held.scaling) {
      if (books_.pool(held.landlord).source(held.scaling->lease_class) != source) continue;
      promised += held.machine_gpus() * state.machines();
    } else if (state.lease != kNoLease) {
      promised += held.gpus;
    }
  }
  return promised;
}

void Run::accept_booking(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  held_state(id).accepted = true;
  at_or_now(held.added_supply ? held.from : held.from - held.booking->gather,
            held.added_supply ? EventKind::held_opens : EventKind::held_gathers, id);
}

void Run::refuse_booking(PoolId id) {
  held_state(id).over = true;
  route_.close(id);
  agenda_.cancel(held_state(id).end);
  recorder_.booking_refused(id);
  empty_queue(id);
}

// From now on freed machines of the landlord are kept for the booking.
void Run::gather_for(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  PoolState& landlord = books_.pool(held.landlord);
  landlord.gathering.push_back(id);
  std::ranges::sort(landlord.gathering);
  if (SourceState* source = landlord.source(LeaseClass::reserved)) source->gathering += held.gpus;
  if (!agenda_.has_begun()) return serve_bookings(landlord);
  touch(held.landlord);
}

void Run::stop_gathering(PoolId id) {
  const HeldPool& held = world_.held_pool(id);
  PoolState& landlord = books_.pool(held.landlord);
  if (std::erase(landlord.gathering, id) == 0) return;
  if (SourceState* source = landlord.source(LeaseClass::reserved)) source->gathering -= held.gpus;
}

// In the landlord's dispatch: bookings that gather get their machines as soon as all are free.
void Run::serve_bookings(PoolState& landlord) {
  const SourceState* source = landlord.source(LeaseClass::reserved);
  const std::vector<PoolId> waiting = landlord.gathering;
  for (const PoolId id : waiting) {
    const HeldPool& held = world_.held_pool(id);
    const bool has_room = source == nullptr || held.gpus <= source->capacity - source->solid;
    const bool fits =
        has_room && has_hosts(landlord, LeaseClass::reserved, footprint_of(held, held.machines));
    if (!fits || now() >= held.until) continue;
    stop_gathering(id);
    take_machines(id);
  }
}

}  // namespace stockout
