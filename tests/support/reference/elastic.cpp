#include <algorithm>

#include "tests/support/reference/run.h"

// Section 12: held pools that grow and shrink. Each machine is a lease of its own, `held_pool` is whose.
namespace stockout::reference {

/// R12.21: Its machines; not only those that are present: those that are coming too.
std::int64_t Run::machines_leased(std::size_t p, bool present) const {
  return std::ranges::count_if(leases_, [&](const Lease& one) {
    return one.open() && one.held_pool == p && (!present || one.came != kNever);
  });
}

std::int64_t Run::gpus_waiting(std::size_t p) const {
  std::int64_t gpus = 0;
  for (const Request& one : requests_) gpus += one.open() && one.pool == p ? one.candidate.gpus.count() : 0;
  return gpus;
}

/// R12.33: How many machines it has at least now.
std::int64_t Run::least_machines(std::size_t p) const {
  const Scaling& scaling = *held_pool(p).scaling;
  std::int64_t least = scaling.least.count();
  for (const LeastStep& step : scaling.steps) {
    if (step.at <= now_) least = step.least.count();
  }
  return least;
}

/// R12.27: How many machines more it wants; 0 or less: none.
std::int64_t Run::machines_wanted(std::size_t p) const {
  const HeldPool& held = held_pool(p);
  const std::int64_t gpus = held.machine_gpus().count();
  const std::int64_t leased = machines_leased(p, /*present=*/false);
  const std::int64_t free = std::max<std::int64_t>(0, room_in_held(p));
  const std::int64_t missing =
      gpus_waiting(p) - free - (leased - machines_leased(p, /*present=*/true)) * gpus;
  std::int64_t for_jobs = 0;
  while (for_jobs * gpus < missing) ++for_jobs;
  return std::max(least_machines(p) - leased, std::min(held.machines.count() - leased, for_jobs));
}

/// R12.22, R12.23, R12.26: At the end of each dispatch of the pool.
void Run::resize(std::size_t p) {
  if (now_ < held_pool(p).from || is_over(p)) return;
  auto& idle = pools_[p].idle_since;
  const std::int64_t free = std::max<std::int64_t>(0, room_in_held(p)) / held_pool(p).machine_gpus().count();
  while (std::ssize(idle) < free) idle.push_back(now_);
  while (std::ssize(idle) > free) idle.pop_back();
  give_back_idle_machines(p);
  const bool has_asked = pools_[p].asks || pools_[p].due[Moment::ask_again].at != kNever;
  if (!has_asked && machines_wanted(p) > 0) ask_for_machines(p);
}

/// R12.24, R12.25.
void Run::give_back_idle_machines(std::size_t p) {
  auto& idle = pools_[p].idle_since;
  const Scaling& scaling = *held_pool(p).scaling;
  const auto may_shrink = [&] {
    return gpus_waiting(p) == 0 && machines_leased(p, /*present=*/false) > least_machines(p) && !idle.empty();
  };
  SimTime added = world_.begin;
  for (const Lease& lease : leases_) {
    if (lease.held_pool == p) added = std::max(added, lease.granted);
  }
  const auto goes_at = [&] {
    return std::max(later(idle.front(), scaling.idle_after), later(added, scaling.after_add));
  };
  if (may_shrink() && goes_at() > later(idle.front(), scaling.idle_after))
    note("elastic: machines stay, as one was added");
  while (may_shrink() && goes_at() <= now_) {
    Lease* longest = nullptr;
    for (Lease& lease : leases_) {
      if (!lease.open() || lease.held_pool != p || lease.came == kNever) continue;
      if (longest == nullptr || lease.came < longest->came) longest = &lease;
    }
    note("elastic: a machine was given back");
    end_held_lease(*longest);
    idle.erase(idle.begin());
  }
  Due& look_again = pools_[p].due[Moment::look_again];
  look_again = may_shrink() ? set_for(goes_at()) : Due{};
}

void Run::ask_for_machines(std::size_t p) {
  pools_[p].asks = true;
  touch(parent_of(p));
}

/// R12.28, R12.29: In the parent's dispatch: machine by machine, as long as there is room.
void Run::serve_elastic(std::size_t p) {
  const std::int64_t wanted = machines_wanted(p);
  std::int64_t granted = 0;
  bool refused = false;
  while (granted < wanted && !refused) {
    Request& request = request_of(p, 1, held_pool(p).scaling->lease_class);
    refused = !fits(request);
    if (refused) {
      refuse(request);
    } else {
      grant(request);
      ++granted;
    }
  }
  if (granted > 0) note("elastic: grew");
  if (granted > 1) note("elastic: grew by several");
  if (granted > 0 && world_.ties == Ties::starts_first) note("starts first: elastic grew");
  pools_[p].asks = false;
  if (!refused) return;
  note("elastic: too little room");
  pools_[p].due[Moment::ask_again] = from_now(held_pool(p).retry_every);
}

/// R12.31: The room of a machine is there: it starts. Its draw is counted by the machines that were
/// granted before.
void Run::machine_starts(Lease& lease) {
  std::uint64_t before = 0;
  for (const Lease& other : leases_) {
    if (&other == &lease) break;
    before += other.held_pool == lease.held_pool ? 1 : 0;
  }
  Draw draw = random_.draw(Purpose::cold_start, lease.held_pool - world_.pools.size(), before);
  lease.comes = from_now(held_pool(lease.held_pool).scaling->cold_start.sample(draw));
}

/// R12.31: Phase 2.
void Run::machines_come(std::size_t p) {
  for (Lease& lease : leases_) {
    if (!lease.open() || lease.held_pool != p || !comes_due(lease.comes)) continue;
    lease.came = now_;
    touch(p);
  }
}

}  // namespace stockout::reference
