#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "models/experiment/stopping.h"
#include "models/measures/measures.h"
#include "models/record/run_record.h"
#include "models/simulation/simulate.h"
#include "models/world/world.h"

namespace stockout {

/// Which run of a world.
struct RunPlace {
  std::size_t strategy = 0;  // of the world
  std::uint64_t replication = 0;
};

/// Watches runs: before, while and after they are simulated. Whoever wants to know more of a run than its
/// measures is one of these, so that no run is simulated twice. It keeps what it reduces a run to, and never
/// the record. Nobody watches unless they say so.
class RunObserver {
 public:
  virtual ~RunObserver() = default;

  /// Before a run, on its thread, several at a time: to hear with also_hear() what it tells while it is
  /// simulated. An exception thrown by a log ends the comparison. A run that tells more than its time takes
  /// longer, so only those are listened to that are needed. The results are the same.
  virtual void begin(const RunPlace& /*run*/, Logs& /*logs*/) {}
  /// After the run, on its thread, several at a time, before its record is dropped.
  virtual void end(const RunPlace& /*run*/, const RunRecord& /*record*/, const Measures& /*measures*/) {}
  /// The same without the record, one at a time: a strategy's replications in order.
  virtual void add(const RunPlace& /*run*/, const Measures& /*measures*/) {}
  /// After each run of a comparison, one at a time; `of` grows with each look.
  virtual void count(std::size_t /*done*/, std::size_t /*of*/) {}
  /// After each look at how exactly the measures are known.
  virtual void look(const PrecisionReached& /*reached*/) {}
};

/// Who watches. They outlive the runs.
using RunObservers = std::span<RunObserver* const>;

/// Simulates a run and measures it; it begins and ends for the observers.
[[nodiscard]] Measures observe_run(const World& world, const RunPlace& run, const MeasureOptions& options,
                                   RunObservers observers);

}  // namespace stockout
