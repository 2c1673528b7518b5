// Pools with placement: a lease needs hosts for its machines, and spot leases go from hosts of its own.

#include "models/simulation/reclaim.h"
#include "models/simulation/run.h"

namespace stockout {

void Run::serve_queue_on_hosts(PoolState& pool) {
  for (RequestSlot next = next_on_hosts(pool); next != kNoRequest; next = next_on_hosts(pool)) {
    grant(next, requests_[next].candidate->gpus);
  }
}

// The next of the queue that has room and hosts.
RequestSlot Run::next_on_hosts(PoolState& pool) {
  const auto fits = [&](RequestSlot slot) {
    const Request& request = requests_[slot];
    return request.candidate->gpus <= pool.room(LeaseClass::flex) &&
           has_hosts(*request.candidate, *request.leg);
  };
  if (!pool.spec->hold_for_head) {
    return RequestSlot{pool.queue.first_that([&](std::uint32_t id) { return fits(RequestSlot{id}); })};
  }
  const RequestSlot head = head_of_queue(pool);
  return head != kNoRequest && fits(head) ? head : kNoRequest;
}

// Where a lease that was found to fit will stand. If the hosts it needs are taken by spot leases, those get
// notice.
std::span<const HostShare> Run::find_hosts(PoolState& pool, LeaseClass lease_class,
                                           const Footprint& footprint) {
  if (pool.hosts == nullptr) return {};
  if (pool.hosts->open().place(footprint, shares_)) return shares_;
  STOCKOUT_CHECK(lease_class != LeaseClass::spot, "a spot lease without hosts");
  for (const LeaseSlot victim : clear_hosts(pool, footprint)) {
    take_back(victim, Interruption::preempted, books_.leases()[victim].leg->policy.notice);
  }
  return shares_;
}

// The spot leases to take back, and in shares_ where the machines go then.
std::vector<LeaseSlot> Run::clear_hosts(PoolState& pool, const Footprint& footprint) {
  HostMap& map = pool.hosts->open();
  const auto shares_of = [this](LeaseSlot slot) -> const auto& { return books_.stand(slot).shares; };
  std::vector<LeaseSlot> chosen;
  visit_victims(
      pool, LeaseClass::spot, books_.leases(), [&](const Lease& lease) { return victim_rank(pool, lease); },
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

void Run::start_ready_on_hosts(PoolState& pool) {
  for (const DelayedLot& lot : books_.take_ready(pool)) {
    books_.leases()[lot.lease].job == kNoJob ? machines_free(lot.lease) : start_up(lot.lease, lot.gpus);
  }
}

void Run::count_refusal(PoolState& pool, LeaseClass lease_class, bool had_room) {
  ++pool.of_class(lease_class).refusals;
  if (pool.hosts != nullptr && had_room) ++pool.totals.misfits;
}

}  // namespace stockout
