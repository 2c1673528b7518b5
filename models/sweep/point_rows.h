#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/experiment/comparison.h"
#include "models/experiment/summary.h"
#include "models/experiment/verdict.h"
#include "models/kept/input_stamps.h"
#include "models/measures/wait_goal.h"

namespace stockout {

/// One strategy at one point.
struct StrategyRow {
  std::string name;
  std::size_t replications = 0;
  bool drew = false;           // chance had a part in its runs
  std::string never_ran = {};  // classes of which jobs came and none ever started, by commas; empty: none
  std::optional<std::size_t> rank = {};  // from 1, by cost of those that qualify; none: it does not
  std::string goals_missed = {};  // on average, by semicolons, each with how far it is met; empty: none
  Summaries total;
};

/// Results of a point.
struct PointRows {
  std::size_t point = 0;
  std::string error;        // empty: it is done
  std::string fingerprint;  // of all its runs, in hexadecimal
  std::string goals = {};   // what is asked of the strategies, in words, by semicolons; empty: nothing
  std::optional<Verdict::Kind> verdict = {};  // of the comparison; none: it failed
  std::vector<StrategyRow> strategies;
};

/// A comparison as the rows of a point, judged as `compare` judges it. `goal_text`: of the wait goal.
[[nodiscard]] PointRows judged_rows(std::size_t point, const Comparison& comparison,
                                    const std::optional<WaitGoal>& goal, const std::string& goal_text);

/// A point and every file that it was read from.
struct FinishedPoint {
  PointRows rows;
  std::vector<InputStamp> inputs;
};

}  // namespace stockout
