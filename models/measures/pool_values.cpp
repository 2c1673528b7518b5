#include "models/measures/pool_values.h"

#include "sim/core/hours.h"

namespace stockout {
namespace {

void fill_hosts(Values& row, const PoolTotals& pool) {
  row.set(Measure::pool_free, to_hours(pool.host_free));
  row.set(Measure::pool_stranded, to_hours(pool.host_stranded));
  if (pool.host_free > GpuTime{}) {
    row.set(Measure::pool_fragmented, to_hours(pool.host_stranded) / to_hours(pool.host_free));
  }
  row.set(Measure::pool_misfits, static_cast<double>(pool.misfits));
}

}  // namespace

void fill_pool(Values& row, const World& world, PoolId id, const PoolTotals& pool) {
  const bool bounded = world.is_held(id) || !world.pool(id).capacity.empty();
  std::uint64_t requests = 0;
  std::uint64_t refusals = 0;
  std::uint64_t preemptions = 0;
  GpuTime tenants{};
  for (const ClassTotals& totals : pool.classes) {
    requests += totals.requests;
    refusals += totals.refusals;
    preemptions += totals.preemptions;
    tenants += totals.leased_by_tenants;
  }
  if (bounded) row.set(Measure::pool_capacity, to_hours(pool.capacity));
  row.set(Measure::pool_leased, to_hours(pool.leased));
  row.set(Measure::pool_tenants, to_hours(tenants));
  row.set(Measure::pool_requests, static_cast<double>(requests));
  row.set(Measure::pool_refusals, static_cast<double>(refusals));
  row.set(Measure::pool_preemptions, static_cast<double>(preemptions));
  row.set(Measure::pool_peak_waiting, static_cast<double>(pool.peak_waiting));
  row.set(Measure::censored_decisions, static_cast<double>(pool.censored_grants));
  if (bounded && !world.is_held(id)) row.set(Measure::pool_shortage, to_hours(pool.shortage));
  if (world.pool(id).placement) fill_hosts(row, pool);
}

}  // namespace stockout
