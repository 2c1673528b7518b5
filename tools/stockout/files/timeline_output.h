#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "models/experiment/run_observer.h"
#include "models/history/timeline.h"
#include "models/scenario/scenario.h"
#include "tools/report/run/trace_events.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/terminal/console.h"

namespace stockout {

/// --timeline and what goes with it.
struct TimelineArguments {
  std::string path;  // empty: not asked for
  std::size_t most = TimelineOptions{}.most;
  std::string from;  // a length, as in "12d"; empty: the start of the window

  /// This object must outlive the command.
  void add_to(CLI::App& command);

  [[nodiscard]] OutputFile output() const { return {.option = "--timeline", .path = path}; }

  /// Throws InputError for a `from` that is no length of time, or lies beyond what a run can reach.
  [[nodiscard]] TimelineOptions options() const;
};

/// Gathers a timeline during a run, and writes it to the file of --timeline: gzipped if its name ends in .gz.
class TimelineOutput : public RunObserver {
 public:
  /// A file that cannot be written is reported now. `scenario` outlives this.
  TimelineOutput(const TimelineArguments& arguments, const Scenario& scenario);
  ~TimelineOutput() override;
  TimelineOutput(const TimelineOutput&) = delete;
  TimelineOutput& operator=(const TimelineOutput&) = delete;

  void begin(const RunPlace& /*run*/, Logs& logs) override { book_.listen(logs); }
  /// Writes everything but the name of the file.
  void end(const RunPlace& run, const RunRecord& record, const Measures& measures) override;

  /// The file appears, and what is in it, or not, is reported.
  void commit(Console& console);

 private:
  struct File;

  const Scenario& scenario_;
  std::string path_;
  TimelineBook book_;
  std::unique_ptr<File> file_;
  std::string summary_;
};

}  // namespace stockout
