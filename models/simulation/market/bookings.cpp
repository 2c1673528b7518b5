#include "models/simulation/market/bookings.h"

#include <algorithm>
#include <vector>

namespace stockout {

bool Bookings::accepts(PoolId id) {
  const HeldPool& spec = held_.spec(id);
  if (!draws_.accepts(*spec.booking, held_.number(id))) return false;
  if (spec.added_supply) return true;
  const SourceState* source = held_.landlord(id).source(LeaseClass::reserved);
  if (source == nullptr) return true;
  const GpuCount bookable{source->capacity.count() * spec.booking->bookable_ppm / 1'000'000};
  SimTime at = spec.from;
  GpuCount most = promised_at(id, at);
  for (const PoolId other : in_run_) {  // promises grow where a window begins
    at = held_.spec(other).from;
    if (at > spec.from && at < spec.until) most = std::max(most, promised_at(id, at));
  }
  return spec.gpus + most <= bookable;
}

// GPUs of the landlord that are promised away at `at` to held pools other than `id`.
GpuCount Bookings::promised_at(PoolId id, SimTime at) {
  const PoolId landlord = held_.spec(id).landlord;
  const SourceState* source = held_.landlord(id).source(LeaseClass::reserved);
  GpuCount promised{};
  for (const PoolId other : in_run_) {
    const HeldPool& spec = held_.spec(other);
    const HeldState& state = held_.state(other);
    if (other == id || state.over || spec.added_supply || spec.landlord != landlord || at >= spec.until) {
      continue;
    }
    if (spec.booking) {
      if (state.accepted && at >= spec.from) promised += spec.gpus;
    } else if (spec.scaling) {
      if (books_.pool(landlord).source(spec.scaling->lease_class) != source) continue;
      promised += spec.machine_gpus() * state.elastic.machines();
    } else if (state.lease != kNoLease) {
      promised += spec.gpus;
    }
  }
  return promised;
}

void Bookings::gather_for(PoolId id) {
  PoolState& landlord = held_.landlord(id);
  landlord.claims.gathering.push_back(id);
  std::ranges::sort(landlord.claims.gathering);
  if (SourceState* source = landlord.source(LeaseClass::reserved)) source->gathering += held_.spec(id).gpus;
}

void Bookings::stop_gathering(PoolId id) {
  PoolState& landlord = held_.landlord(id);
  if (std::erase(landlord.claims.gathering, id) == 0) return;
  if (SourceState* source = landlord.source(LeaseClass::reserved)) source->gathering -= held_.spec(id).gpus;
}

void Bookings::serve(PoolState& landlord, SimTime now) {
  const SourceState* source = landlord.source(LeaseClass::reserved);
  const std::vector<PoolId> waiting = landlord.claims.gathering;
  for (const PoolId id : waiting) {
    const HeldPool& spec = held_.spec(id);
    const bool has_room = source == nullptr || spec.gpus <= source->capacity - source->solid;
    const bool fits = has_room && landlord.has_hosts(LeaseClass::reserved, footprint_of(spec, spec.machines));
    if (!fits || now >= spec.until) continue;
    stop_gathering(id);
    take(id);
  }
}

void Bookings::take(PoolId id) {
  const HeldPool& spec = held_.spec(id);
  held_.state(id).lease = market_.take_machines(id, spec, spec.machines, LeaseClass::reserved, 0);
}

}  // namespace stockout
