#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/calibration/history_jobs.h"
#include "sim/core/time.h"

namespace stockout {

/// The law of a wait, as waits that were recorded under like conditions: sorted, kForever last.
using WaitLaw = std::span<const SimDuration>;

/// The shortest wait that a share of the law does not exceed; the law is not empty.
[[nodiscard]] SimDuration law_quantile(WaitLaw law, double share);

/// Where in the law a wait lies, from 0 to 1. Many waits are alike (0 above all): of those the place is drawn
/// at random, as `random` in [0, 1) says. Under a true law it is uniform.
[[nodiscard]] double place_in_law(WaitLaw law, SimDuration wait, double random);

/// Forecasts the waits of jobs from simulated ones: a job's law is that of the recorded waits of those jobs
/// of its class, before the split, whose simulated waits were like its own. So a simulation that is off by
/// the same amount as before does no harm, and one that says nothing becomes the history of the class. The
/// idea is that of conformal prediction by groups (V. Vovk and others, Algorithmic Learning in a Random
/// World, 2005).
class WaitForecast {
 public:
  /// The jobs before the split, recorded and simulated, in the same order.
  WaitForecast(const std::vector<HistoryJob>& recorded, const std::vector<SimDuration>& simulated);

  /// The law for a job of this class with this simulated wait; a class without jobs before is as all are.
  [[nodiscard]] WaitLaw law(std::uint16_t job_class, SimDuration simulated) const;

 private:
  // Jobs of one class whose simulated waits are alike.
  struct Bin {
    SimDuration least{};                // simulated
    std::vector<SimDuration> recorded;  // sorted
  };
  using Bins = std::vector<Bin>;

  [[nodiscard]] static Bins bins_of(std::vector<std::pair<SimDuration, SimDuration>> waits);

  Bins all_;
  std::vector<Bins> by_class_;  // empty: too few jobs
};

}  // namespace stockout
