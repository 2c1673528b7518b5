#include "models/simulation/reclaim.h"

namespace stockout {
namespace {

std::vector<std::uint32_t> spare_unneeded(const std::vector<std::uint32_t>& chosen,
                                          const Slots<Lease>& leases, GpuCount surplus) {
  std::vector<std::uint32_t> victims;
  for (const std::uint32_t slot : chosen) {
    const GpuCount gpus = leases[slot].gpus;
    if (gpus <= surplus) {
      surplus -= gpus;
    } else {
      victims.push_back(slot);
    }
  }
  return victims;
}

}  // namespace

std::vector<std::uint32_t> choose_victims(const PoolState& pool, const SourceState& source,
                                          const Slots<Lease>& leases, LeaseClass down_to) {
  std::vector<std::uint32_t> chosen;
  GpuCount need = source.all - source.capacity;
  const bool newest_first = pool.spec->reclaim == ReclaimRule::newest;
  for (std::size_t i = kLeaseClasses; i-- > static_cast<std::size_t>(down_to) && need > GpuCount{0};) {
    if (pool.source_of[i] == PoolState::kUnlimited ||
        &pool.sources[static_cast<std::size_t>(pool.source_of[i])] != &source) {
      continue;
    }
    std::uint32_t slot = newest_first ? pool.leases[i].newest : pool.leases[i].oldest;
    while (slot != kNoSlot && need > GpuCount{0}) {
      const Lease& lease = leases[slot];
      if (lease.job != kNoSlot) {
        chosen.push_back(slot);
        need -= lease.gpus;
      }
      slot = newest_first ? lease.older : lease.newer;
    }
  }
  return need < GpuCount{0} ? spare_unneeded(chosen, leases, GpuCount{0} - need) : chosen;
}

}  // namespace stockout
