#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "models/history/wait_curves.h"
#include "models/repricing/break_even.h"
#include "sim/io/whole_file.h"
#include "tools/report/comparison/report.h"
#include "tools/stockout/console.h"

namespace stockout {

/// Adds --report to a command that compares.
void add_page_option(CLI::App& command, std::string& path);

/// Gathers what a report page tells beyond a comparison, and writes it to the file of --report.
class PageOutput {
 public:
  /// A file that cannot be written is told now. The scenario outlives this.
  PageOutput(const std::string& path, const Scenario& scenario);

  /// As CompareOptions::look_at_run.
  void add(std::size_t strategy, std::size_t replication, const RunRecord& record) {
    waits_.add(strategy, replication, record);
  }

  /// Runs the first replication of the strategies that are shown over time again, on `threads` threads as
  /// CompareOptions has it, and writes the page, whole or not at all. `command`: the command line that makes
  /// it again.
  void write(const Report& report, const BreakEvens& break_evens, const std::string& command, int threads,
             Console& console);

 private:
  std::string path_;
  const Scenario& scenario_;
  WholeFile file_;
  WaitCurveBook waits_;
};

}  // namespace stockout
