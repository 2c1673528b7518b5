#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "models/repricing/break_even.h"
#include "models/repricing/stored_comparison.h"
#include "sim/io/whole_file.h"
#include "tools/report/comparison/report.h"

namespace stockout {

/// Adds --record to a command that simulates.
void add_record_option(CLI::App& command, std::string& path);

/// Gathers runs for what prices them anew, and writes them to the file of --record if there is one.
class RecordOutput : public RunObserver {
 public:
  /// `path` may be empty. A file that cannot be written is reported now.
  RecordOutput(const std::string& path, const Scenario& scenario, const std::vector<std::string>& sets);

  void add(const RunPlace& run, const Measures& measures) override { recorder_.add(run, measures); }

  /// Of everything that was added: prepares the file, and returns what was gathered.
  StoredComparison finish(const Comparison& comparison);

  /// Puts the finished file in its place, whole or not at all.
  void publish();

 private:
  RunRecorder recorder_;
  std::unique_ptr<WholeFile> file_;
};

/// Throws InputError if --break-even is asked for in a format that `compare` does not have it in.
void check_break_even(bool is_asked, ReportFormat format);

/// Up to which price which strategy of the comparison is the cheapest, at the prices that it was made with.
[[nodiscard]] BreakEvens break_evens_of(const StoredComparison& stored, const Comparison& comparison);

/// The same as text, behind its report.
[[nodiscard]] std::string break_even_text(const BreakEvens& found, const Comparison& comparison,
                                          ReportFormat format, const TextLayout& layout);

}  // namespace stockout
