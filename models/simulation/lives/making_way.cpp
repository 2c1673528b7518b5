#include "models/simulation/lives/making_way.h"

namespace stockout {

std::uint64_t MakingWay::rank(const PoolState& pool, const Lease& lease) {
  if (pool.spec->reclaim == ReclaimRule::smallest_loss) return lives_.loss_if_taken(lease);
  return draws_.victim_word(lease, tables_.jobs[lease.job].job);
}

void MakingWay::make_room(const PoolState& pool, const SourceState& source) {
  const auto rank_of = [&](const Lease& lease) { return rank(pool, lease); };
  const auto gift = [&](const Lease& lease, GpuCount need) { return gangs_.gift_of(lease, need); };
  for (const Victim& victim : choose_victims(pool, source, books_.leases(), rank_of, gift)) {
    lives_.take(victim.lease, victim.gpus);
  }
}

std::span<const HostShare> MakingWay::find_hosts(PoolState& pool, LeaseClass lease_class,
                                                 const Footprint& footprint) {
  if (pool.hosts == nullptr) return {};
  if (pool.hosts->open().place(footprint, shares_)) return shares_;
  STOCKOUT_CHECK(lease_class != LeaseClass::spot, "a spot lease without hosts");
  for (const LeaseSlot victim : clear_hosts(pool, footprint)) lives_.take(victim);
  return shares_;
}

// The spot leases to preempt, and in shares_ where the machines go then.
std::vector<LeaseSlot> MakingWay::clear_hosts(PoolState& pool, const Footprint& footprint) {
  HostMap& map = pool.hosts->open();
  const auto shares_of = [this](LeaseSlot slot) -> const auto& { return books_.placement(slot).shares; };
  std::vector<LeaseSlot> chosen;
  visit_victims(
      pool, LeaseClass::spot, books_.leases(), [&](const Lease& lease) { return rank(pool, lease); },
      [&](LeaseSlot slot) {
        map.give(shares_of(slot));
        chosen.push_back(slot);
        return !map.fits(footprint);
      });
  std::vector<LeaseSlot> victims;
  for (const LeaseSlot slot : chosen) {
    map.take(shares_of(slot));
    if (map.fits(footprint)) continue;  // spared
    map.give(shares_of(slot));
    victims.push_back(slot);
  }
  STOCKOUT_CHECK(map.place(footprint, shares_), "no hosts for a lease that was found to fit");
  for (const LeaseSlot slot : victims) map.take(shares_of(slot));
  return victims;
}

}  // namespace stockout
