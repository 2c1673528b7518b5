#include "models/scenario/buying/could_serve.h"

#include <algorithm>

#include "models/world/quota.h"

namespace stockout {

GpuCount least_gpus_of(const Leg& leg, const Candidate& place) {
  if (leg.spreads(place)) return place.gpus_of_each();
  if (!leg.partial || place.least == 0) return place.gpus;
  return place.gpus_of_each() * place.least;
}

std::optional<GpuCount> CouldServe::room(const Leg& leg, PoolId pool) const {
  if (world_.is_held(pool)) return world_.held_pool(pool).gpus;
  for (const CapacitySource& source : world_.pool(pool).capacity) {
    if (source.classes[static_cast<std::size_t>(leg.policy.lease_class)]) return most_gpus(source);
  }
  return std::nullopt;
}

bool CouldServe::has_room(const Leg& leg, const Candidate& place) const {
  const std::optional<GpuCount> most = room(leg, place.pool);
  return !most || least_gpus_of(leg, place) <= *most;
}

// Limits never fall: the last is the most.
bool CouldServe::is_within_quotas(const Leg& leg, const Candidate& place) const {
  return std::ranges::all_of(world_.quotas, [&](const QuotaBucket& quota) {
    const std::int64_t units = units_of(quota, place, leg.policy.lease_class, place.machines());
    return units == 0 || units <= quota.steps.back().limit;
  });
}

bool CouldServe::holds(const Leg& leg, const Candidate& place) {
  const std::int32_t most = leg.policy.machines_max;
  return (most == 0 || place.machines() <= most) && has_room(leg, place) && hosts_.hold(place, leg.compact) &&
         is_within_quotas(leg, place);
}

bool CouldServe::serves(const Leg& leg, ShapeId shape) {
  if (index(shape) >= leg.candidates.size()) return false;  // of a class that the leg is not open to
  std::int64_t machines = 0;  // that stand anywhere, where the gang may be spread
  for (const Candidate& place : leg.candidates[index(shape)]) {
    if (!holds(leg, place)) continue;
    if (!leg.spreads(place)) return true;
    const std::optional<GpuCount> most = room(leg, place.pool);
    const std::int64_t here = most ? most->count() / place.gpus_of_each().count() : place.machines();
    machines += std::min(place.machines(), here);
    if (machines >= place.least_machines()) return true;
  }
  return false;
}

}  // namespace stockout
