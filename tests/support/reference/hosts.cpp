#include <algorithm>

#include "tests/support/reference/run.h"

// Section 4: pools whose machines are placed on hosts.
namespace stockout::reference {
namespace {

/// Hosts from `first` to before `end`.
struct HostRange {
  std::size_t first = 0;
  std::size_t end = 0;
};

/// kNone: none of them has so many GPUs free.
std::size_t host_for(Fill fill, const FreeGpus& free, HostRange range, std::int64_t gpus) {
  const std::int64_t sign = fill == Fill::best_fit ? 1 : fill == Fill::worst_fit ? -1 : 0;
  std::size_t chosen = kNone;
  for (std::size_t h = range.first; h < range.end; ++h) {
    if (free[h] >= gpus && (chosen == kNone || sign * free[h] < sign * free[chosen])) chosen = h;
  }
  return chosen;
}

std::optional<Hosts> put_within(Fill fill, FreeGpus free, HostRange range, const Candidate& candidate) {
  Hosts hosts;
  for (const Part& part : candidate.parts) {
    for (std::int32_t i = 0; i < part.machines; ++i) {
      const std::size_t host = host_for(fill, free, range, part.gpus);
      if (host == kNone) return std::nullopt;
      free[host] -= part.gpus;
      hosts.push_back(host);
    }
  }
  return hosts;
}

/// Ranges of so many adjacent blocks.
std::vector<HostRange> ranges_of(const Placement& placement, std::size_t blocks) {
  std::vector<HostRange> ranges;
  const auto hosts = static_cast<std::size_t>(placement.hosts);
  const auto size = static_cast<std::size_t>(placement.block_hosts);
  for (std::size_t first = 0; first + (blocks - 1) * size < hosts; first += size) {
    ranges.push_back({.first = first, .end = std::min(hosts, first + blocks * size)});
  }
  return ranges;
}

/// In the one of the ranges that holds all machines and has the least free GPUs.
std::optional<Hosts> put_in_one_of(const std::vector<HostRange>& ranges, Fill fill, const FreeGpus& free,
                                   const Candidate& candidate) {
  std::optional<Hosts> best;
  std::int64_t least_free = 0;
  for (const HostRange range : ranges) {
    const auto hosts = put_within(fill, free, range, candidate);
    std::int64_t in_all = 0;
    for (std::size_t h = range.first; h < range.end; ++h) in_all += free[h];
    if (!hosts || (best && in_all >= least_free)) continue;
    best = hosts;
    least_free = in_all;
  }
  return best;
}

}  // namespace

FreeGpus Run::empty_hosts(const Placement& placement) const {
  return FreeGpus(static_cast<std::size_t>(placement.hosts), placement.host_gpus);
}

/// R4.17 to R4.19.
std::optional<Hosts> Run::put_on_hosts(const Placement& placement, Compact compact, const FreeGpus& free,
                                       const Candidate& candidate) const {
  if (compact == Compact::no) return put_within(placement.fill, free, {0, free.size()}, candidate);
  const auto in_a_block = put_in_one_of(ranges_of(placement, 1), placement.fill, free, candidate);
  if (in_a_block || compact == Compact::block) return in_a_block;
  return put_in_one_of(ranges_of(placement, 2), placement.fill, free, candidate);
}

/// R4.16: As far as leases that are not leaving leave them free; those of `freed` count as gone.
FreeGpus Run::free_on_hosts(std::size_t p, const std::vector<Lease*>& freed) {
  FreeGpus free = empty_hosts(*pool_of(p).placement);
  for (Lease& lease : leases_) {
    if (!lease.stays() || lease.pool != p || std::ranges::count(freed, &lease) > 0) continue;
    for (const Machine& machine : lease.machines) free[machine.host] -= machine.part.gpus;
  }
  return free;
}

/// R4.17, R4.20.
std::optional<Hosts> Run::hosts_for(const Asked& asked, const std::vector<Lease*>& freed) {
  const Compact compact = asked.job == nullptr ? Compact::no : leg_of(asked).compact;
  return put_on_hosts(*pool_of(asked.pool).placement, compact, free_on_hosts(asked.pool, freed),
                      asked.candidate);
}

/// R4.21: All spot leases count as gone for a stronger request, none for one of spot.
bool Run::finds_hosts(const Asked& asked) {
  std::vector<Lease*> yielding;
  for (Lease& lease : leases_) {
    const bool is_weaker = lease.lease_class == LeaseClass::spot && asked.lease_class != LeaseClass::spot;
    if (lease.open() && lease.pool == asked.pool && is_weaker) yielding.push_back(&lease);
  }
  return hosts_for(asked, yielding).has_value();
}

/// R4.22 to R4.24: Where the machines granted now are placed; spot leases in their way are reclaimed.
Hosts Run::make_way(const Asked& granted) {
  if (const auto hosts = hosts_for(granted, {})) return *hosts;
  note("hosts: spot leases make way");
  std::vector<Lease*> chosen;
  for (Lease* victim : spot_in_order(granted.pool, source_of(granted.pool, LeaseClass::spot))) {
    chosen.push_back(victim);
    if (hosts_for(granted, chosen)) break;
  }
  for (Lease* victim : std::vector<Lease*>{chosen}) {
    std::vector<Lease*> rest = chosen;
    std::erase(rest, victim);
    if (!hosts_for(granted, rest)) continue;
    note("hosts: spared victim");
    chosen = rest;
  }
  const Hosts hosts = *hosts_for(granted, chosen);
  for (Lease* victim : chosen) set_leaving(*victim);
  return hosts;
}

std::int64_t Run::gpus_on(const Lease& lease, std::size_t host) const {
  return gpus_where(lease, [host](const Machine& machine) { return machine.host == host; });
}

/// R4.27: Whether one of the lease's hosts is overbooked.
bool Run::hosts_are_taken(const Lease& of) const {
  return std::ranges::any_of(of.machines, [&](const Machine& machine) {
    std::int64_t gpus = 0;
    for (const Lease& lease : leases_) {
      if (lease.open() && lease.pool == of.pool) gpus += gpus_on(lease, machine.host);
    }
    return gpus > pool_of(of.pool).placement->host_gpus;
  });
}

/// R4.29: Whether the hosts of a delayed lease are free of all that was there before it.
bool Run::hosts_are_free(const Lease& of) const {
  return std::ranges::all_of(of.machines, [&](const Machine& machine) {
    std::int64_t free = pool_of(of.pool).placement->host_gpus;
    for (const Lease& lease : leases_) {
      const bool comes_later = lease.batches[0].delayed && lease.batches[0].delayed >= of.batches[0].delayed;
      if (lease.open() && lease.pool == of.pool && !comes_later) free -= gpus_on(lease, machine.host);
    }
    return free >= gpus_on(of, machine.host);
  });
}

}  // namespace stockout::reference
