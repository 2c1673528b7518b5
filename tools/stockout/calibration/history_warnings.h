#pragma once

#include <string>
#include <vector>

#include "models/scenario/scenario.h"
#include "sim/core/time.h"
#include "tools/stockout/calibration/recorded_history.h"

namespace stockout {

/// Reasons why jobs of a history are a poor guide to those that come, a line each: supply that was short, so
/// that people asked for less; waits that it does not tell; an end long before the prices; jobs that it does
/// not have. The scenario replays it, and its window is cut at `split`.
[[nodiscard]] std::vector<std::string> history_warnings(const RecordedHistory& record,
                                                        const Scenario& scenario, SimTime split);

}  // namespace stockout
