#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/history/bins.h"
#include "models/history/level.h"
#include "models/record/run_record.h"
#include "models/simulation/simulate.h"
#include "models/world/world.h"

namespace stockout {

/// How many bins a history has at most, unless more or fewer are asked for.
inline constexpr std::size_t kMostBins = 400;

/// How often something happened at a pool, by bin; a column is empty if it never did.
struct EventHistory {
  std::vector<std::uint64_t> own;      // to recorded jobs and to the strategy's held pools
  std::vector<std::uint64_t> tenants;  // to jobs of others
};

/// One pool over time. Levels are GPUs unless said otherwise; those of waiting are of the pool's queue: a
/// request that is answered at once never waits, and one of a race waits in each of its pools.
struct PoolHistory {
  PoolId pool{};
  std::vector<LevelHistory> capacity;  // by capacity source of the pool; a held pool's is what it holds
  LevelHistory by_jobs;                // leased, machines that are leaving included
  LevelHistory by_held;                // machines that held pools of the strategy have from this pool
  LevelHistory by_tenants;
  LevelHistory free;  // capacity that nobody has, summed up over sources; of a held pool: idle. 0 without one
  LevelHistory waiting_requests;  // everybody's, requests
  LevelHistory waiting_gpus;
  LevelHistory own_waiting_requests;  // those of recorded jobs
  LevelHistory own_waiting_gpus;
  EventHistory preempted;  // leases, or machines of a partial one, that were preempted, faults apart
  EventHistory refused;    // at-once requests that found no room: stock-outs
  EventHistory expired;    // requests whose patience, kept life, or job's maximum wait was over
  EventHistory faults;     // leases, or machines of a partial one, that ended because a machine broke
};

/// One run over time, in equal bins from the start of the window to the end of the run; warm-up has no part
/// in it. Bin i is [i * bin, (i + 1) * bin), and the last one ends with the run. The areas of levels and the
/// sums of events are those of the run record's PoolTotals, exactly.
struct RunHistory {
  SimTime end{};      // of the run, as in its record
  SimDuration bin{};  // Bins says which lengths there are
  std::size_t bins = 0;
  std::vector<PoolHistory> pools;  // by PoolId, all of the world's
  LevelHistory jobs_waiting;       // recorded jobs that were released, are not final and have no lease
  LevelHistory jobs_leasing;       // that have one
  std::uint64_t fingerprint = 0;   // of the run
};

/// Gathers the history of one run. Memory is bounded by the bins times the levels that are ever above 0.
class HistoryBook {
 public:
  /// `most_bins` at least 1; `most_steps`: LevelHistory::steps are kept of levels that have no more of them.
  explicit HistoryBook(const World& world, std::size_t most_bins = kMostBins, std::size_t most_steps = 0);

  /// Before the run: hears what it tells. The book stays where it is until the run is over.
  void listen(Logs& logs);

  /// Called by the run, as Logs has it.
  void add(const PoolChange& change);
  void add(const JobChange& change);

  /// After the run.
  [[nodiscard]] RunHistory finish(const RunRecord& record);

 private:
  enum Levels : std::size_t {
    kByJobs,
    kByHeld,
    kByTenants,
    kFree,
    kRequests,
    kGpus,
    kOwnRequests,
    kOwnGpus,
    kLevels,
  };
  static constexpr std::size_t kEvents = 8;  // of four kinds, own and tenants'

  struct PoolLevels {
    std::vector<Level> capacity;
    std::vector<Level> levels;  // by Levels
    std::array<EventCount, kEvents> events;
    std::array<bool, kLeaseClasses> bounded{};  // which classes have a capacity source
    std::int64_t room = 0;                      // of all sources, less what bounded classes have leased
  };

  void reach(SimTime at);
  void change_room(PoolLevels& pool, std::int64_t by, SimTime at);
  void add_waiting(PoolLevels& pool, const PoolChange& change);
  void add_event(PoolLevels& pool, const PoolChange& change);
  template <typename Visit>
  void for_each_column(const Visit& visit);
  [[nodiscard]] PoolHistory finish(PoolLevels& pool, SimTime end, std::size_t count) const;

  Bins bins_;
  std::vector<PoolLevels> pools_;
  Level waiting_;
  Level leasing_;
};

/// Keeps the `most` pools that the strategy has most to do with: GPU-hours that it used, held or waited for,
/// and requests that were refused. That first; none that it has nothing to do with. Returns how many others
/// there were.
std::size_t keep_busiest_pools(RunHistory& history, std::size_t most);

}  // namespace stockout
