#include "models/simulation/lives/mass_reclaims.h"

#include <algorithm>
#include <cmath>

namespace stockout {
namespace {

// How many of them pass a machine by before one takes it: geometric, by inversion, so that a small share
// costs no more than a large one.
std::uint64_t spared(const MassReclaim& rule, Draw& draw) {
  return static_cast<std::uint64_t>(std::log1p(-uniform01(draw)) / std::log1p(-rule.share_ppm / 1e6));
}

}  // namespace

bool MassReclaims::concern(const Lease& lease) const {
  return lease.lease_class == LeaseClass::spot && !world_.is_held(lease.pool) &&
         world_.pool(lease.pool).mass_reclaim.has_value();
}

SimDuration MassReclaims::life(const Lease& lease, const Job& job, std::uint64_t machine, SimTime up) {
  if (!concern(lease)) return kForever;
  const MassReclaim& rule = *world_.pool(lease.pool).mass_reclaim;
  Draw draw = draws_.mass_reclaim(lease, job, machine);
  const SimTime at = time_after(lease.pool, up, spared(rule, draw));
  return at == kNever ? kForever : std::max(at + rule.spread.sample(draw) - up, kShortestLife);
}

SimTime MassReclaims::time_after(PoolId pool, SimTime up, std::uint64_t more) {
  std::vector<SimTime>& times = times_[index(pool)];
  const SimTime end = world_.window_end + world_.drain_limit;
  const auto later = [&] {
    return static_cast<std::uint64_t>(times.end() - std::ranges::upper_bound(times, up));
  };
  while ((times.empty() || times.back() <= end) && later() <= more) {
    const SimTime last = times.empty() ? world_.begin : times.back();
    times.push_back(last + draws_.until_mass_reclaim(world_.pool(pool), times.size()));
  }
  if (later() <= more) return kNever;
  const SimTime at = *(times.end() - static_cast<std::ptrdiff_t>(later() - more));
  return at <= end ? at : kNever;
}

}  // namespace stockout
