#include <algorithm>

#include "tests/support/reference/run.h"

// The books of pools, over [kStart, the run's end].
namespace stockout::reference {

/// Capacity has been what it is since the last instant.
void Run::add_capacity_until(SimTime at) {
  if (at <= capacity_until_) return;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    const bool limited = is_held(p) || !pools_[p].sources.empty();
    const std::int64_t gpus = limited ? capacity_of(p, 0) : 0;
    const SimDuration passed = at - capacity_until_;
    result_.pools[p].capacity += gpus * passed.count();
    for (std::size_t s = 0; s < pools_[p].sources.size(); ++s) {
      result_.pools[p].shortage += shortage(p, s) * passed.count();
    }
    if (has_hosts(p)) add_free_hosts(p, passed);
  }
  capacity_until_ = at;
}

/// What was free on hosts, and of it what was beside machines that stood there.
void Run::add_free_hosts(std::size_t p, SimDuration passed) {
  for (const std::int64_t free : free_on_hosts(p, {})) {
    result_.pools[p].host_free += free * passed.count();
    if (free < world_.pools[p].placement->host_gpus) result_.pools[p].host_stranded += free * passed.count();
  }
}

/// What is held, or asked for, for nothing: by recorded jobs that got it elsewhere.
void Run::count_phantom() {
  for (const Request& request : requests_) {
    if (!request.lost_to_sibling || !jobs_[request.job].recorded) continue;
    result_.pools[request.pool].phantom_waiting +=
        request.candidate.gpus.count() * (request.closed - request.entered).count();
  }
  for (const Lease& lease : leases_) {
    if (lease.open || lease.ending != Ending::lost_race || !jobs_[lease.job].recorded) continue;
    result_.pools[lease.pool].phantom_leased += area_of(lease, lease.ended);
  }
}

/// GPU-milliseconds of the lease from kStart on.
std::int64_t Run::area_of(const Lease& lease, SimTime ended) const {
  const auto length = [](SimTime from, SimTime to) {
    return std::max<std::int64_t>(0, (to - std::max(from, kStart)).count());
  };
  if (!lease.partial) return lease.candidate.gpus.count() * length(lease.granted, ended);
  std::int64_t area = 0;
  for (const Machine& machine : lease.machines) {
    area += gpus_of_one(lease.asked) * length(machine.granted, std::min(machine.gone, ended));
  }
  return area;
}

void Run::count_totals() {
  const auto of = [this](std::size_t pool, LeaseClass lease_class) -> ReferenceClassTotals& {
    return result_.pools[pool].classes[static_cast<std::size_t>(lease_class)];
  };
  for (const Request& request : requests_) {
    ReferenceClassTotals& totals = of(request.pool, request.lease_class);
    // A held pool asks when its landlord serves it; what is never served was never asked.
    const bool by_held_pool = request.held_pool != kNone;
    const bool served = request.fate == Fate::granted || request.fate == Fate::refused;
    if (by_held_pool && !served) continue;
    if ((by_held_pool ? request.closed : request.entered) >= kStart) ++totals.requests;
    if (request.open || request.closed < kStart) continue;
    if (request.fate == Fate::granted) ++totals.grants;
    if (request.fate == Fate::refused) ++totals.refusals;
    if (request.misfit) ++result_.pools[request.pool].misfits;
    if (request.fate == Fate::withdrawn) ++totals.withdrawn;
  }
  for (const Lease& lease : leases_) {
    ReferenceClassTotals& totals = of(lease.pool, lease.lease_class);
    const SimTime ended = lease.open ? end_ : lease.ended;
    if (!lease.open && lease.ending == Ending::taken_back && ended >= kStart) {
      ++(lease.broke ? totals.faults : totals.preemptions);
    }
    for (const Machine& machine : lease.machines) {
      if (machine.gone != kNever && machine.gone >= kStart)
        ++(machine.broke ? totals.faults : totals.preemptions);
    }
    const std::int64_t area = area_of(lease, ended);
    result_.pools[lease.pool].leased += area;
    totals.leased += area;
    if (lease.job != kNone && !jobs_[lease.job].recorded) totals.leased_by_tenants += area;
  }
}

}  // namespace stockout::reference
