#include "models/simulation/lives/reclaim.h"

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
  const Slots<Lease, LeaseSlot>& leases;
  const PartialGift& gift;
  GpuCount need;
  std::vector<Victim> chosen;

  [[nodiscard]] bool is_enough() const { return need <= GpuCount{0}; }
  void take(LeaseSlot slot) {
    const Lease& lease = leases[slot];
    const GpuCount gpus = lease.parts.gang == kNoGang ? lease.gpus : gift(lease, need);
    chosen.push_back({.lease = slot, .gpus = gpus});
    need -= gpus;
  }
};

void take_in_order_of_grant(Choice& choice, const LeaseList& list, bool newest_first) {
  LeaseSlot slot = newest_first ? list.newest : list.oldest;
  while (slot != kNoLease && !choice.is_enough()) {
    const Lease& lease = choice.leases[slot];
    if (lease.job != kNoJob) choice.take(slot);
    slot = newest_first ? lease.links.older : lease.links.newer;
  }
}

// By rank, then the latest grant first.
std::vector<std::pair<std::uint64_t, LeaseSlot>> ranked(const LeaseList& list,
                                                        const Slots<Lease, LeaseSlot>& leases,
                                                        const VictimRank& rank) {
  std::vector<std::pair<std::uint64_t, LeaseSlot>> by_rank;
  for (LeaseSlot slot = list.newest; slot != kNoLease; slot = leases[slot].links.older) {
    if (leases[slot].job != kNoJob) by_rank.emplace_back(rank(leases[slot]), slot);
  }
  std::ranges::stable_sort(by_rank, {}, [](const auto& entry) { return entry.first; });
  return by_rank;
}

void take_by_rank(Choice& choice, const LeaseList& list, const VictimRank& rank) {
  for (const auto& [_, slot] : ranked(list, choice.leases, rank)) {
    if (!choice.is_enough()) choice.take(slot);
  }
}

}  // namespace

std::vector<Victim> choose_victims(const PoolState& pool, const SourceState& source,
                                   const Slots<Lease, LeaseSlot>& leases, const VictimRank& rank,
                                   const PartialGift& gift) {
  if (pool.source(LeaseClass::spot) != &source) return {};
  Choice choice{.leases = leases, .gift = gift, .need = source.all - source.capacity, .chosen = {}};
  const LeaseList& spot = pool.leases[static_cast<std::size_t>(LeaseClass::spot)];
  const ReclaimRule rule = pool.spec->reclaim;
  if (rule == ReclaimRule::newest || rule == ReclaimRule::oldest) {
    take_in_order_of_grant(choice, spot, rule == ReclaimRule::newest);
  } else {
    take_by_rank(choice, spot, rank);
  }
  if (!choice.is_enough()) return choice.chosen;
  return spare_unneeded(choice.chosen, GpuCount{0} - choice.need);
}

void visit_victims(const PoolState& pool, LeaseClass lease_class, const Slots<Lease, LeaseSlot>& leases,
                   const VictimRank& rank, const std::function<bool(LeaseSlot)>& take) {
  const LeaseList& list = pool.leases[static_cast<std::size_t>(lease_class)];
  const ReclaimRule rule = pool.spec->reclaim;
  if (rule == ReclaimRule::random || rule == ReclaimRule::smallest_loss) {
    for (const auto& [_, slot] : ranked(list, leases, rank)) {
      if (!take(slot)) return;
    }
    return;
  }
  const bool newest_first = rule == ReclaimRule::newest;
  LeaseSlot slot = newest_first ? list.newest : list.oldest;
  while (slot != kNoLease) {
    const Lease& lease = leases[slot];
    if (lease.job != kNoJob && !take(slot)) return;
    slot = newest_first ? lease.links.older : lease.links.newer;
  }
}

}  // namespace stockout
