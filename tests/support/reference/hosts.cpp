#include "tests/support/reference/hosts.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tests/support/reference/run.h"

// Pools whose machines stand on hosts.
namespace stockout::reference {
namespace {

using Standings = std::vector<Standing>;

/// Hosts from `first` to before `end`.
struct HostRange {
  std::size_t first = 0;
  std::size_t end = 0;
};

bool is_better(Fill fill, std::int64_t free, std::int64_t best_so_far) {
  if (fill == Fill::best_fit) return free < best_so_far;
  if (fill == Fill::worst_fit) return free > best_so_far;
  return false;  // the first one stays
}

std::size_t host_for(Fill fill, const FreeGpus& free, HostRange range, std::int64_t gpus) {
  std::size_t chosen = kNone;
  for (std::size_t h = range.first; h < range.end; ++h) {
    if (free[h] < gpus) continue;
    if (chosen == kNone || is_better(fill, free[h], free[chosen])) chosen = h;
  }
  return chosen;
}

std::optional<Standings> put_within(Fill fill, FreeGpus free, HostRange range, const Candidate& candidate) {
  Standings standings;
  for (const Part& part : candidate.parts) {
    for (std::int32_t i = 0; i < part.machines; ++i) {
      const std::size_t host = host_for(fill, free, range, part.gpus);
      if (host == kNone) return std::nullopt;
      free[host] -= part.gpus;
      standings.push_back({.host = host, .gpus = part.gpus});
    }
  }
  return standings;
}

std::vector<HostRange> blocks_of(const Placement& placement) {
  std::vector<HostRange> blocks;
  const auto hosts = static_cast<std::size_t>(placement.hosts);
  const auto size = static_cast<std::size_t>(placement.block_hosts);
  for (std::size_t first = 0; first < hosts; first += size) {
    blocks.push_back({.first = first, .end = std::min(hosts, first + size)});
  }
  return blocks;
}

std::vector<HostRange> neighbours_in(const std::vector<HostRange>& blocks) {
  std::vector<HostRange> pairs;
  for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
    pairs.push_back({.first = blocks[b].first, .end = blocks[b + 1].end});
  }
  return pairs;
}

/// In the one of the ranges that holds all machines and has the least free GPUs.
std::optional<Standings> put_in_one_of(const std::vector<HostRange>& ranges, Fill fill, const FreeGpus& free,
                                       const Candidate& candidate) {
  std::optional<Standings> best;
  std::int64_t least_free = 0;
  for (const HostRange range : ranges) {
    const auto standings = put_within(fill, free, range, candidate);
    std::int64_t in_all = 0;
    for (std::size_t h = range.first; h < range.end; ++h) in_all += free[h];
    if (!standings || (best && in_all >= least_free)) continue;
    best = standings;
    least_free = in_all;
  }
  return best;
}

}  // namespace

FreeGpus empty_hosts(const Placement& placement) {
  return FreeGpus(static_cast<std::size_t>(placement.hosts), placement.host_gpus);
}

std::optional<Standings> put_on_hosts(const Placement& placement, Compact compact, const FreeGpus& free,
                                      const Candidate& candidate) {
  if (compact == Compact::no) return put_within(placement.fill, free, {0, free.size()}, candidate);
  const std::vector<HostRange> blocks = blocks_of(placement);
  const auto in_a_block = put_in_one_of(blocks, placement.fill, free, candidate);
  if (in_a_block || compact == Compact::block) return in_a_block;
  return put_in_one_of(neighbours_in(blocks), placement.fill, free, candidate);
}

bool Run::has_hosts(std::size_t p) const { return !is_held(p) && world_.pools[p].placement.has_value(); }

/// As far as leases that are not leaving leave them free; those of `freed` count as gone.
FreeGpus Run::free_on_hosts(std::size_t p, const std::vector<std::size_t>& freed) const {
  FreeGpus free = empty_hosts(*world_.pools[p].placement);
  for (std::size_t l = 0; l < leases_.size(); ++l) {
    const Lease& lease = leases_[l];
    if (!lease.open || lease.leaving || lease.pool != p) continue;
    if (std::find(freed.begin(), freed.end(), l) != freed.end()) continue;
    for (const Standing& standing : lease.hosts) free[standing.host] -= standing.gpus;
  }
  return free;
}

std::optional<Standings> Run::standings_for(const Request& request,
                                            const std::vector<std::size_t>& freed) const {
  const Compact compact =
      request.job == kNone ? Compact::no : leg_of(jobs_[request.job], request.leg).compact;
  return put_on_hosts(*world_.pools[request.pool].placement, compact, free_on_hosts(request.pool, freed),
                      request.candidate);
}

/// All spot leases count as gone for a stronger request, none for one of spot.
bool Run::finds_hosts(const Request& request) const {
  std::vector<std::size_t> yielding;
  for (std::size_t l = 0; l < leases_.size(); ++l) {
    const bool yields = leases_[l].open && leases_[l].pool == request.pool &&
                        leases_[l].lease_class == LeaseClass::spot && request.lease_class != LeaseClass::spot;
    if (yields) yielding.push_back(l);
  }
  return standings_for(request, yielding).has_value();
}

/// Where a request that is granted now will stand; what stands in its way is taken back.
std::vector<Standing> Run::make_way(const Request& request) {
  const std::size_t p = request.pool;
  if (const auto free = standings_for(request, {})) return *free;
  note("hosts: spot leases make way");
  std::vector<std::size_t> chosen;
  for (const std::size_t victim : spot_in_order(p, source_of(p, LeaseClass::spot))) {
    chosen.push_back(victim);
    if (standings_for(request, chosen)) break;
  }
  for (const std::size_t victim : std::vector<std::size_t>{chosen}) {
    std::vector<std::size_t> rest = chosen;
    std::erase(rest, victim);
    if (!standings_for(request, rest)) continue;
    note("hosts: spared victim");
    chosen = rest;
  }
  const std::vector<Standing> standings = *standings_for(request, chosen);
  for (const std::size_t victim : chosen) set_leaving(victim);
  return standings;
}

std::int64_t Run::gpus_on(const Lease& lease, std::size_t host) const {
  std::int64_t gpus = 0;
  for (const Standing& standing : lease.hosts) gpus += standing.host == host ? standing.gpus : 0;
  return gpus;
}

/// Whether on one of the lease's hosts more stands than there is.
bool Run::hosts_are_taken(const Lease& of) const {
  return std::any_of(of.hosts.begin(), of.hosts.end(), [&](const Standing& standing) {
    std::int64_t gpus = 0;
    for (const Lease& lease : leases_) {
      if (lease.open && lease.pool == of.pool) gpus += gpus_on(lease, standing.host);
    }
    return gpus > world_.pools[of.pool].placement->host_gpus;
  });
}

/// Whether the hosts of a delayed lease are free of all that was there before it.
bool Run::hosts_are_free(std::size_t l) const {
  const Lease& of = leases_[l];
  return std::all_of(of.hosts.begin(), of.hosts.end(), [&](const Standing& standing) {
    std::int64_t free = world_.pools[of.pool].placement->host_gpus;
    for (std::size_t i = 0; i < leases_.size(); ++i) {
      const Lease& lease = leases_[i];
      const bool comes_later = lease.delayed && i >= l;
      if (lease.open && lease.pool == of.pool && !comes_later) free -= gpus_on(lease, standing.host);
    }
    return free >= gpus_on(of, standing.host);
  });
}

/// A lease has ended.
void Run::start_delayed_on_hosts(std::size_t p) {
  for (std::size_t l = 0; l < leases_.size(); ++l) {
    if (!leases_[l].open || leases_[l].pool != p || !leases_[l].delayed || !hosts_are_free(l)) continue;
    if (leases_[l].granted < now_) note("hosts: delayed lease began later");
    begin_lease(l);
  }
}

}  // namespace stockout::reference
