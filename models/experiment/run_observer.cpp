#include "models/experiment/run_observer.h"

namespace stockout {

// The record lives no longer than this call: at most one a thread.
Measures observe_run(const World& world, const RunPlace& run, const MeasureOptions& options,
                     RunObservers observers) {
  Logs logs;
  for (RunObserver* observer : observers) observer->begin(run, logs);
  const RunRecord record = simulate(world, run.strategy, run.replication, logs);
  Measures measures = measure(world, run.strategy, run.replication, record, options);
  for (RunObserver* observer : observers) observer->end(run, record, measures);
  return measures;
}

}  // namespace stockout
