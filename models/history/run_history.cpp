#include "models/history/run_history.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "sim/core/check.h"

namespace stockout {
namespace {

using What = PoolChange::What;

std::size_t first_event(What what) {
  switch (what) {
    case What::preempted:
      return 0;
    case What::refused:
      return 2;
    case What::expired:
      return 4;
    default:  // fault
      return 6;
  }
}

// How much the strategy has to do with the pool.
double weight_of(const PoolHistory& pool) {
  const WideArea area = pool.by_jobs.area + pool.by_held.area + pool.own_waiting_gpus.area;
  const std::uint64_t refused =
      std::accumulate(pool.refused.own.begin(), pool.refused.own.end(), std::uint64_t{0});
  return static_cast<double>(area) / 3.6e6 + static_cast<double>(refused);
}

}  // namespace

HistoryBook::HistoryBook(const World& world, std::size_t most_bins, std::size_t most_steps)
    : bins_{most_bins, world.window_end},
      pools_(world.pool_count()),
      waiting_{most_steps},
      leasing_{most_steps} {
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    PoolLevels& pool = pools_[i];
    pool.levels.resize(kLevels, Level{most_steps});
    if (world.is_held(static_cast<PoolId>(i))) {
      pool.capacity.resize(1, Level{most_steps});
      pool.bounded.fill(true);
      continue;
    }
    const std::vector<CapacitySource>& sources = world.pools[i].capacity;
    pool.capacity.resize(sources.size(), Level{most_steps});
    for (const CapacitySource& source : sources) {
      for (std::size_t c = 0; c < kLeaseClasses; ++c) pool.bounded[c] = pool.bounded[c] || source.classes[c];
    }
  }
}

void HistoryBook::listen(Logs& logs) {
  also_hear(logs.on_pool, [this](const PoolChange& change) { add(change); });
  also_hear(logs.on_job, [this](const JobChange& change) { add(change); });
}

template <typename Visit>
void HistoryBook::for_each_column(const Visit& visit) {
  visit(waiting_);
  visit(leasing_);
  for (PoolLevels& pool : pools_) {
    for (Level& level : pool.capacity) visit(level);
    for (Level& level : pool.levels) visit(level);
    for (EventCount& events : pool.events) visit(events);
  }
}

// What happens where the last bin ends is counted beside it, in case that is the end of the run.
void HistoryBook::reach(SimTime at) {
  if (at <= kStart) return;
  const std::size_t joined = bins_.reach(at - SimDuration{1});
  if (joined > 1) for_each_column([joined](auto& column) { column.join(joined); });
}

void HistoryBook::change_room(PoolLevels& pool, std::int64_t by, SimTime at) {
  pool.room += by;
  Level& free = pool.levels[kFree];
  free.change(std::max<std::int64_t>(0, pool.room) - free.now(), at, bins_);
}

void HistoryBook::add(const PoolChange& change) {
  reach(change.at);
  PoolLevels& pool = pools_[index(change.pool)];
  const std::int64_t gpus = change.gpus.count();
  switch (change.what) {
    case What::capacity:
      pool.capacity[change.source].change(gpus, change.at, bins_);
      return change_room(pool, gpus, change.at);
    case What::leased: {
      const std::size_t by = change.holder == Holder::job    ? kByJobs
                             : change.holder == Holder::held ? kByHeld
                                                             : kByTenants;
      pool.levels[by].change(gpus, change.at, bins_);
      if (pool.bounded[static_cast<std::size_t>(change.lease_class)]) change_room(pool, -gpus, change.at);
      return;
    }
    case What::waiting:
      return add_waiting(pool, change);
    default:
      return add_event(pool, change);
  }
}

void HistoryBook::add_waiting(PoolLevels& pool, const PoolChange& change) {
  pool.levels[kRequests].change(change.count, change.at, bins_);
  pool.levels[kGpus].change(change.gpus.count(), change.at, bins_);
  if (change.holder == Holder::tenant) return;
  pool.levels[kOwnRequests].change(change.count, change.at, bins_);
  pool.levels[kOwnGpus].change(change.gpus.count(), change.at, bins_);
}

void HistoryBook::add_event(PoolLevels& pool, const PoolChange& change) {
  if (change.at < kStart) return;
  const std::size_t who = change.holder == Holder::tenant ? 1 : 0;
  pool.events[first_event(change.what) + who].add(static_cast<std::uint64_t>(change.count),
                                                  bins_.of(change.at));
}

void HistoryBook::add(const JobChange& change) {
  reach(change.at);
  const auto move = [&](std::int64_t waiting, std::int64_t leasing) {
    waiting_.change(waiting, change.at, bins_);
    leasing_.change(leasing, change.at, bins_);
  };
  switch (change.what) {
    case JobChange::What::released:
      return move(1, 0);
    case JobChange::What::leasing:
      return move(-1, 1);
    case JobChange::What::waiting:
      return move(1, -1);
    case JobChange::What::over:
      return move(-1, 0);
  }
}

PoolHistory HistoryBook::finish(PoolLevels& pool, SimTime end, std::size_t count) const {
  const auto level = [&](std::size_t which) { return pool.levels[which].finish(end, bins_, count); };
  const auto events = [&](What what) {
    return EventHistory{.own = pool.events[first_event(what)].finish(count),
                        .tenants = pool.events[first_event(what) + 1].finish(count)};
  };
  PoolHistory history;
  for (Level& source : pool.capacity) history.capacity.push_back(source.finish(end, bins_, count));
  history.by_jobs = level(kByJobs);
  history.by_held = level(kByHeld);
  history.by_tenants = level(kByTenants);
  history.free = level(kFree);
  history.waiting_requests = level(kRequests);
  history.waiting_gpus = level(kGpus);
  history.own_waiting_requests = level(kOwnRequests);
  history.own_waiting_gpus = level(kOwnGpus);
  history.preempted = events(What::preempted);
  history.refused = events(What::refused);
  history.expired = events(What::expired);
  history.faults = events(What::fault);
  return history;
}

RunHistory HistoryBook::finish(const RunRecord& record) {
  reach(record.end);
  RunHistory history;
  history.end = record.end;
  history.fingerprint = record.fingerprint;
  history.bin = bins_.length();
  history.bins = bins_.of(std::max(kStart, record.end - SimDuration{1})) + 1;
  history.jobs_waiting = waiting_.finish(record.end, bins_, history.bins);
  history.jobs_leasing = leasing_.finish(record.end, bins_, history.bins);
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    history.pools.push_back(finish(pools_[i], record.end, history.bins));
    history.pools.back().pool = static_cast<PoolId>(i);
  }
  return history;
}

std::size_t keep_busiest_pools(RunHistory& history, std::size_t most) {
  std::vector<PoolHistory>& pools = history.pools;
  std::erase_if(pools, [](const PoolHistory& pool) { return weight_of(pool) <= 0; });
  std::ranges::stable_sort(pools, std::greater{}, weight_of);
  const std::size_t all = pools.size();
  pools.resize(std::min(all, most));
  return all - pools.size();
}

}  // namespace stockout
