#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/experiment/summary.h"
#include "models/sweep/input_stamps.h"

namespace stockout {

/// One strategy at one point.
struct StrategyRow {
  std::string name;
  std::size_t replications = 0;
  std::string never_ran = {};  // classes of which jobs came and none ever started, by commas; empty: none
  Summaries total;
};

/// What became of a point.
struct PointRows {
  std::size_t point = 0;
  std::string error;        // empty: it is done
  std::string fingerprint;  // of all its runs, in hexadecimal
  std::vector<StrategyRow> strategies;
};

/// A point and every file that it was read from.
struct FinishedPoint {
  PointRows rows;
  std::vector<InputStamp> inputs;
};

}  // namespace stockout
