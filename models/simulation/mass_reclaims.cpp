#include "models/simulation/mass_reclaims.h"

#include <algorithm>

namespace stockout {

bool MassReclaims::concern(const Lease& lease) const {
  return lease.lease_class == LeaseClass::spot && !world_.is_held(lease.pool) &&
         world_.pool(lease.pool).mass_reclaim.has_value();
}

SimDuration MassReclaims::life(const Lease& lease, const Job& job, std::uint64_t machine, SimTime up) {
  if (!concern(lease)) return kForever;
  const MassReclaim& rule = *world_.pool(lease.pool).mass_reclaim;
  const SimTime end = world_.window_end + world_.drain_limit;
  Draw draw = draws_.mass_reclaim(lease, job, machine);
  for (SimTime at = next_after(lease.pool, up); at <= end; at = next_after(lease.pool, at)) {
    if (uniform01(draw) * 1e6 >= rule.share_ppm) continue;
    return std::max(at + rule.spread.sample(draw) - up, kShortestLife);
  }
  return kForever;
}

SimTime MassReclaims::next_after(PoolId pool, SimTime at) {
  std::vector<SimTime>& times = times_[index(pool)];
  while (times.empty() || times.back() <= at) {
    const SimTime last = times.empty() ? world_.begin : times.back();
    times.push_back(last + draws_.until_mass_reclaim(world_.pool(pool), times.size()));
  }
  return *std::ranges::upper_bound(times, at);
}

}  // namespace stockout
