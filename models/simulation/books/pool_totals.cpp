#include "models/simulation/books/pool_totals.h"

namespace stockout {
namespace {

PoolTotals totals_of(const PoolState& pool, SimTime end) {
  PoolTotals totals = pool.totals;
  if (!pool.sources.empty()) totals.capacity = GpuTime{pool.sources.front().capacity_area.in_window(end)};
  if (pool.hosts) {
    totals.host_free = GpuTime{pool.hosts->free_area().in_window(end)};
    totals.host_stranded = GpuTime{pool.hosts->stranded_area().in_window(end)};
  }
  for (const SourceState& source : pool.sources) {
    if (pool.held == nullptr) totals.shortage += GpuTime{source.shortage_area.in_window(end)};
  }
  for (std::size_t c = 0; c < kLeaseClasses; ++c) {
    ClassTotals& of_class = totals.classes[c];
    of_class.leased = GpuTime{pool.counts.leased_area[c].in_window(end)};
    of_class.leased_by_tenants = GpuTime{pool.counts.tenant_area[c].in_window(end)};
    totals.leased += of_class.leased;
  }
  return totals;
}

}  // namespace

void clear_totals(std::vector<PoolState>& pools) {
  for (PoolState& pool : pools) {
    pool.totals = {};
    pool.totals.peak_waiting = pool.queue.size();
  }
}

std::uint64_t requests_ended(const std::vector<PoolState>& pools) {
  std::uint64_t ended = 0;
  for (const PoolState& pool : pools) ended += pool.counts.requests_ended;
  return ended;
}

std::vector<PoolTotals> totals_of(const std::vector<PoolState>& pools, SimTime end) {
  std::vector<PoolTotals> totals;
  totals.reserve(pools.size());
  for (const PoolState& pool : pools) totals.push_back(totals_of(pool, end));
  return totals;
}

}  // namespace stockout
