#include <algorithm>

#include "tests/support/reference/run.h"

// Held pools that grow and shrink. Each machine is a lease of its own, `held_pool` is whose.
namespace stockout::reference {

std::int64_t Run::machine_gpus(std::size_t p) const {
  return held_pool(p).gpus.count() / held_pool(p).machines.count();
}

/// Those that are coming too.
std::int64_t Run::machines_leased(std::size_t p) const {
  return std::count_if(leases_.begin(), leases_.end(),
                       [p](const Lease& lease) { return lease.open && lease.held_pool == p; });
}

std::int64_t Run::machines_present(std::size_t p) const {
  return std::count_if(leases_.begin(), leases_.end(), [p](const Lease& lease) {
    return lease.open && lease.held_pool == p && lease.came != kNever;
  });
}

std::int64_t Run::gpus_waiting(std::size_t p) const {
  std::int64_t gpus = 0;
  for (const Request& request : requests_) {
    if (request.open && request.pool == p) gpus += request.candidate.gpus.count();
  }
  return gpus;
}

/// How many machines more it wants; 0 or less: none.
std::int64_t Run::machines_wanted(std::size_t p) const {
  const std::int64_t leased = machines_leased(p);
  const std::int64_t free = std::max<std::int64_t>(0, room_in_held(p));
  const std::int64_t coming = (leased - machines_present(p)) * machine_gpus(p);
  const std::int64_t missing = gpus_waiting(p) - free - coming;
  std::int64_t for_jobs = 0;
  while (for_jobs * machine_gpus(p) < missing) ++for_jobs;
  const std::int64_t allowed = held_pool(p).machines.count() - leased;
  return std::max(held_pool(p).scaling->least.count() - leased, std::min(allowed, for_jobs));
}

/// At the end of each dispatch of the pool.
void Run::resize(std::size_t p) {
  if (now_ < held_pool(p).from || is_over(p)) return;
  note_idle_machines(p);
  give_back_idle_machines(p);
  if (pools_[p].asking != Asking::no || machines_wanted(p) <= 0) return;
  pools_[p].asking = Asking::at_next_dispatch;
  touch(index(held_pool(p).landlord));
}

void Run::note_idle_machines(std::size_t p) {
  auto& idle = pools_[p].idle_since;
  const std::int64_t free = std::max<std::int64_t>(0, room_in_held(p)) / machine_gpus(p);
  while (static_cast<std::int64_t>(idle.size()) < free) idle.push_back(now_);
  while (static_cast<std::int64_t>(idle.size()) > free) idle.pop_back();
}

void Run::give_back_idle_machines(std::size_t p) {
  PoolState& pool = pools_[p];
  const Scaling& scaling = *held_pool(p).scaling;
  pool.look_again = Due{};
  const auto may_shrink = [&] {
    return gpus_waiting(p) == 0 && machines_leased(p) > scaling.least.count() && !pool.idle_since.empty();
  };
  while (may_shrink() && later(pool.idle_since.front(), scaling.idle_after) <= now_) {
    std::size_t longest = kNone;
    for (std::size_t i = 0; i < leases_.size(); ++i) {
      if (!leases_[i].open || leases_[i].held_pool != p || leases_[i].came == kNever) continue;
      if (longest == kNone || leases_[i].came < leases_[longest].came) longest = i;
    }
    note("elastic: a machine was given back");
    end_held_lease(longest);
    pool.idle_since.erase(pool.idle_since.begin());
  }
  if (!may_shrink()) return;
  pool.look_again = from_now(SimDuration::zero());
  pool.look_again.at = later(pool.idle_since.front(), scaling.idle_after);
}

/// In the landlord's dispatch: machine by machine, as long as there is room.
void Run::serve_elastic(std::size_t p) {
  const HeldPool& held = held_pool(p);
  const std::int64_t wanted = machines_wanted(p);
  std::int64_t granted = 0;
  while (granted < wanted) {
    const Request request{.held_pool = p,
                          .pool = index(held.landlord),
                          .lease_class = held.scaling->lease_class,
                          .candidate = own_machines(p, 1),
                          .entered = now_};
    requests_.push_back(request);
    if (!fits(request)) {
      refuse(requests_.back());
      break;
    }
    grant(requests_.size() - 1);
    ++granted;
  }
  if (granted > 0) note("elastic: grew");
  if (granted > 1) note("elastic: grew by several");
  if (granted > 0 && world_.ties == Ties::starts_first) note("starts first: elastic grew");
  pools_[p].asking = Asking::no;
  if (granted >= wanted) return;
  note("elastic: too little room");
  pools_[p].asking = Asking::again_later;
  pools_[p].ask_again = from_now(held.retry_every);
}

/// The room of a machine is there: it starts.
void Run::machine_is_granted(std::size_t l) {
  Lease& lease = leases_[l];
  Draw draw = dice_.draw(Purpose::cold_start, lease.held_pool - world_.pools.size(), lease.machine);
  lease.comes = from_now(held_pool(lease.held_pool).scaling->cold_start.sample(draw));
}

/// Phase 2.
void Run::machines_come(std::size_t p) {
  for (Lease& lease : leases_) {
    if (!lease.open || lease.held_pool != p || !is_due(lease.comes)) continue;
    lease.comes = Due{};
    lease.came = now_;
    touch(p);
  }
}

}  // namespace stockout::reference
