#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/history/run_history.h"
#include "models/history/wait_curves.h"
#include "models/repricing/break_even.h"
#include "tools/page/page.h"
#include "tools/report/comparison/report.h"

namespace stockout {

/// One run of a strategy over time.
struct StrategyHistory {
  std::size_t strategy = 0;        // of the comparison
  RunHistory history;              // of its first replication, with the pools that are drawn
  std::size_t pools_left_out = 0;  // that it used too
};

/// Subject of a page on a comparison: all strategies of the scenario's world, in its order.
struct PageStory {
  const Report& report;  // with a verdict
  const WaitCurves& waits;
  const BreakEvens& break_evens;
  const std::vector<StrategyHistory>& histories;  // of strategies_over_time()
  std::string command;                            // the command line that makes the page again
};

/// So many strategies are drawn at most; tables have all of them.
inline constexpr std::size_t kMostDrawn = 20;
/// So many are drawn over time at most ...
inline constexpr std::size_t kMostOverTime = 12;
/// ... with so many of the pools that each uses most ...
inline constexpr std::size_t kMostPoolsEach = 6;
/// ... and so many points in all.
inline constexpr std::size_t kMostPointsDrawn = 24'000;

/// Which strategies charts draw, in the order of the scenario: all, or if there are too many that of the
/// verdict, then those that no other beats in both cost and jobs in time, then the cheapest.
[[nodiscard]] std::vector<std::size_t> strategies_drawn(const Report& report);

/// Names of strategies of the comparison.
[[nodiscard]] std::vector<std::string> names_of(const Report& report, const std::vector<std::size_t>& places);

/// Says that not all strategies are drawn; nothing if all are.
[[nodiscard]] std::string drawn_note(const Report& report);

/// Which of them are drawn over time: that of the verdict first.
[[nodiscard]] std::vector<std::size_t> strategies_over_time(const Report& report);

/// Into how many bins a history is to be thinned for the page of so many strategies.
[[nodiscard]] std::size_t bins_over_time(const World& world, std::size_t strategies);

/// Part of a strategy's history that a page keeps: the pools that it uses most.
[[nodiscard]] StrategyHistory strategy_history(std::size_t strategy, RunHistory history);

/// A comparison as a report for a browser: the answer and what could change it, waits, money, pools over
/// time, prices, and how the numbers were made.
[[nodiscard]] Page comparison_page(const PageStory& story);

}  // namespace stockout
