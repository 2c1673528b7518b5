#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "models/calibration/calibration_store.h"
#include "models/calibration/history_figures.h"
#include "models/calibration/history_jobs.h"
#include "models/calibration/weighted_worlds.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// Reads the scenario with some values put into it, ready to run. May be called from several threads.
using LoadWorld = std::function<Scenario(const std::vector<PlacedValue>&)>;

struct CalibrationOptions {
  std::size_t runs = 1'000;                    // at least kFewestCalibrationRuns
  int threads = 0;                             // 0: as many as the machine has cores
  std::function<void(std::size_t)> done = {};  // hears how many runs were simulated, from any thread
  CalibrationStore* store = nullptr;           // keeps each world that was simulated, and has earlier ones
};
inline constexpr std::size_t kFewestCalibrationRuns = 400;
inline constexpr std::size_t kMostCalibrationRuns = 100'000;

/// Findings of a history about an unknown. Shares are of its prior's weight.
struct FoundUnknown {
  double median = 0;
  double low = 0;                      // of the set that holds 95 % of the worlds' weight ...
  double high = 0;                     // ... and its upper end
  std::vector<double> choice_weights;  // of an unknown with choices: the worlds' weight
  double learned = 0;  // by how much the history narrows it: 0, it is as before, to 1, it is known
  /// Whether the history says anything of it: the set is narrower than that of the prior by more than chance
  /// makes it.
  bool identified = false;
};

/// Two unknowns of which the history tells a combination only.
struct Confounded {
  std::size_t one = 0;
  std::size_t other = 0;
  double correlation = 0;  // over the worlds: above 0, more of one goes with more of the other
};

/// The worlds that agree with a history.
struct Calibration {
  WeightedWorlds worlds;
  std::vector<FoundUnknown> found;             // by unknown of the scenario
  std::vector<Confounded> confounded;          // those that are correlated most first
  std::size_t typical = 0;                     // the world nearest to the median of each unknown
  std::size_t runs = 0;                        // that were simulated
  std::size_t refused = 0;                     // worlds of the prior that the scenario refuses ...
  std::string why_refused;                     // ... the first for this reason
  std::vector<double> recorded;                // by HistoryFigures::figures(), not scaled
  std::vector<std::vector<double>> simulated;  // the same, by world
  /// The share of the figures that lie outside of what all of the worlds make.
  double unlike = 0;
};

/// Finds the worlds that a scenario's unknowns leave open and under which the jobs of a history fare as
/// recorded, bought by one strategy. In waves: each draws worlds of the prior within a box, simulates each
/// once, with luck of its own, and cuts the box to where the history may still be. All worlds drawn within
/// the last box are weighed together. The same bits for any number of threads.
///
/// Throws InputError where the scenario has no unknowns, or refuses most of its worlds, and WorkInterrupted
/// if the store says so.
[[nodiscard]] Calibration calibrate(const Scenario& written, std::size_t strategy, const HistoryJobs& history,
                                    const LoadWorld& load, const CalibrationOptions& options);

}  // namespace stockout
