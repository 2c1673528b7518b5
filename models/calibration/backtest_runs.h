#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "models/calibration/backtest.h"
#include "models/calibration/world_set.h"

namespace stockout {

/// The simulations of a backtest. All of this outlives the calls.
struct BacktestTask {
  std::size_t strategy = 0;
  const HistoryJobs& before;  // the same jobs on both sides of the split
  const HistoryJobs& after;
  SourceId source{};  // that replays the history
  SimTime split{};
  SimTime end{};                // no job is submitted at it or later
  std::size_t jobs_before = 0;  // of the history, in its order
  const LoadWorld& load;
  int threads = 0;                             // 0: as many as the machine has cores
  std::function<void(std::size_t)> done = {};  // hears how many runs were simulated, from any thread
  std::vector<BillSpan> bill = {};             // whose bills are predicted; empty: none
};

/// Each of the worlds once, from the beginning on, with luck of its own.
[[nodiscard]] std::vector<BacktestRun> simulate_worlds(const BacktestTask& task,
                                                       const std::vector<CalibratedWorld>& worlds);

/// The shares of rules and of jobs in the error of the mean wait: the worlds once more with jobs that are
/// made of weeks before the split. Nothing where fewer than four weeks are before it, or no mean is above 0.
[[nodiscard]] std::optional<ErrorTriangle> error_triangle(const BacktestTask& task,
                                                          const std::vector<CalibratedWorld>& worlds,
                                                          const std::vector<BacktestRun>& runs);

}  // namespace stockout
