#include "models/simulation/books/pool_checks.h"

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace stockout {
namespace {

void check_balance(const PoolState& pool, SimTime end) {
  std::int64_t leased = 0;
  std::vector<std::int64_t> leased_of(pool.sources.size());
  for (std::size_t c = 0; c < kLeaseClasses; ++c) {
    const std::int64_t area = pool.counts.leased_area[c].total(end);
    leased += area;
    const std::int8_t source = pool.source_of[c];
    if (source != PoolState::kUnlimited) leased_of[static_cast<std::size_t>(source)] += area;
  }
  if (pool.hosts) pool.hosts->check_empty();
  const std::string& name = pool.spec->name;
  STOCKOUT_CHECK(leased == pool.counts.lease_gpu_ms,
                 fmt::format("pool {}: the pool saw {} GPU-ms leased, its leases {}", name, leased,
                             pool.counts.lease_gpu_ms));
  for (std::size_t s = 0; s < pool.sources.size(); ++s) {
    const SourceState& source = pool.sources[s];
    STOCKOUT_CHECK(source.capacity_area.total(end) == source.free_area.total(end) + leased_of[s],
                   fmt::format("pool {}, source {}: capacity {} is not free {} and leased {}", name, s,
                               source.capacity_area.total(end), source.free_area.total(end), leased_of[s]));
  }
  STOCKOUT_CHECK(pool.counts.waiting_area.total(end) == pool.counts.waited_ms,
                 fmt::format("pool {}: Little's law: queue length {} ms, waits {} ms", name,
                             pool.counts.waiting_area.total(end), pool.counts.waited_ms));
}

}  // namespace

void fail_full(const PoolState& pool, const SourceState& source) {
  throw InvariantError{fmt::format("pool {}: {} GPUs leased and not leaving, Spot among them, capacity {}",
                                   pool.spec->name, source.all.count(), source.capacity.count())};
}

void check_hosts(const PoolState& pool) {
  const SourceState& source = pool.sources.front();
  pool.hosts->check(source.capacity, source.all, source.solid);
}

void check_balance(Books& books, SimTime end) {
  STOCKOUT_CHECK(books.leases().live() == 0);
  for (const PoolState& pool : books.pools()) check_balance(pool, end);
}

}  // namespace stockout
