#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include <CLI/CLI.hpp>

#include "models/experiment/run_observer.h"
#include "models/history/run_history.h"
#include "models/history/wait_curves.h"
#include "models/repricing/break_even.h"
#include "sim/io/whole_file.h"
#include "tools/report/comparison/report.h"
#include "tools/report/comparison_page/comparison_page.h"
#include "tools/stockout/terminal/console.h"

namespace stockout {

/// Adds --report to a command that compares.
void add_page_option(CLI::App& command, std::string& path);

/// Gathers what a report page tells beyond a comparison, from the runs that the comparison makes, and writes
/// it to the file of --report. It listens to the first replication of each strategy alone.
class PageOutput : public RunObserver {
 public:
  /// A file that cannot be written is reported now. The scenario outlives this.
  PageOutput(const std::string& path, const Scenario& scenario);

  void begin(const RunPlace& run, Logs& logs) override;
  void end(const RunPlace& run, const RunRecord& record, const Measures& measures) override;

  /// Writes the page, whole or not at all. `command`: the command line that makes it again.
  void write(const Report& report, const BreakEvens& break_evens, const std::string& command,
             Console& console);

 private:
  std::string path_;
  const Scenario& scenario_;
  WholeFile file_;
  WaitCurveBook waits_;
  std::mutex mutex_;                                  // of what follows
  std::map<std::size_t, HistoryBook> under_way_;      // by strategy
  std::map<std::size_t, StrategyHistory> histories_;  // the same
};

}  // namespace stockout
