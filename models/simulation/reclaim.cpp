#include "models/simulation/reclaim.h"

#include <algorithm>
#include <utility>

namespace stockout {
namespace {

std::vector<Victim> spare_unneeded(const std::vector<Victim>& chosen, GpuCount surplus) {
  std::vector<Victim> victims;
  for (const Victim& victim : chosen) {
    if (victim.gpus <= surplus) {
      surplus -= victim.gpus;
    } else {
      victims.push_back(victim);
    }
  }
  return victims;
}

// A choice of leases, as long as more is needed.
struct Choice {
  const Slots<Lease>& leases;
  const PartialGift& gift;
  GpuCount need;
  std::vector<Victim> chosen;

  [[nodiscard]] bool is_enough() const { return need <= GpuCount{0}; }
  void take(std::uint32_t slot) {
    const Lease& lease = leases[slot];
    const GpuCount gpus = lease.partial == kNoSlot ? lease.gpus : gift(lease, need);
    chosen.push_back({.lease = slot, .gpus = gpus});
    need -= gpus;
  }
};

void take_in_order_of_grant(Choice& choice, const LeaseList& list, bool newest_first) {
  std::uint32_t slot = newest_first ? list.newest : list.oldest;
  while (slot != kNoSlot && !choice.is_enough()) {
    const Lease& lease = choice.leases[slot];
    if (lease.job != kNoSlot) choice.take(slot);
    slot = newest_first ? lease.older : lease.newer;
  }
}

void take_by_rank(Choice& choice, const LeaseList& list, const VictimRank& rank) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> ranked;
  for (std::uint32_t slot = list.newest; slot != kNoSlot; slot = choice.leases[slot].older) {
    const Lease& lease = choice.leases[slot];
    if (lease.job != kNoSlot) ranked.emplace_back(rank(lease), slot);
  }
  std::ranges::stable_sort(ranked, {}, [](const auto& entry) { return entry.first; });
  for (const auto& [_, slot] : ranked) {
    if (!choice.is_enough()) choice.take(slot);
  }
}

}  // namespace

std::vector<Victim> choose_victims(const PoolState& pool, const SourceState& source,
                                   const Slots<Lease>& leases, LeaseClass down_to, const VictimRank& rank,
                                   const PartialGift& gift) {
  Choice choice{.leases = leases, .gift = gift, .need = source.all - source.capacity, .chosen = {}};
  const ReclaimRule rule = pool.spec->reclaim;
  const bool by_grant = rule == ReclaimRule::newest || rule == ReclaimRule::oldest;
  for (std::size_t i = kLeaseClasses; i-- > static_cast<std::size_t>(down_to) && !choice.is_enough();) {
    if (pool.source(static_cast<LeaseClass>(i)) != &source) continue;
    if (by_grant) {
      take_in_order_of_grant(choice, pool.leases[i], rule == ReclaimRule::newest);
    } else {
      take_by_rank(choice, pool.leases[i], rank);
    }
  }
  if (!choice.is_enough()) return choice.chosen;
  return spare_unneeded(choice.chosen, GpuCount{0} - choice.need);
}

}  // namespace stockout
