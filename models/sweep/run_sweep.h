#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "models/catalog/catalog.h"
#include "models/experiment/comparison.h"
#include "models/kept/input_stamps.h"
#include "models/sweep/shard.h"
#include "models/sweep/store.h"
#include "models/sweep/sweep_file.h"

namespace stockout {

struct SweepOptions {
  Shard shard;
  int threads = 0;                       // 0: as many as the machine has
  std::vector<InputStamp> catalog = {};  // what every point is read from beside its scenario's files
  std::function<void(std::size_t done, std::size_t of)>
      progress;  // of those in the store, one call at a time
  /// Simulates the scenario of a point; tests put another in its place.
  std::function<Comparison(const World&, const CompareOptions&)> simulate = compare;
  std::function<bool()> interrupted;  // asked now and then, from any thread: whether to stop
  /// Called now and then in a long run, from its thread, with the time that it has reached in its world.
  std::function<void(const World&, SimTime)> reached = nullptr;
};

struct SweepOutcome {
  std::size_t done_before = 0;  // points that the store had already, failed ones included
  std::size_t done = 0;         // now, failed ones included
  std::size_t left = 0;         // not done: interrupted, or out of memory
  std::size_t out_of_memory = 0;
  bool interrupted = false;
};

/// Does every point of the shard that the store has not, several at a time, and puts each into the store as
/// it ends. What is in the store does not depend on the threads. A point that is refused, comes to
/// too many steps or breaks an invariant is put there as failed, and the others go on; one that does not fit
/// into memory is left out.
/// Throws InputError if the store cannot be written; the scenario of the sweep must be right by itself
/// (base_scenario()).
[[nodiscard]] SweepOutcome run_sweep(const Sweep& sweep, const Catalog& catalog, ScenarioCache& cache,
                                     InputStamps& inputs, SweepStore& store, const SweepOptions& options);

}  // namespace stockout
