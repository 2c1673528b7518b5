#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "models/workload/trace.h"

namespace stockout {

/// Use of a trace by a command.
enum class TraceUse : std::uint8_t {
  jobs,           // simulates or fits its jobs: there must be some
  jobs_and_rows,  // the same, and looks at its rows
  record,         // says what was recorded, also of jobs that never started
  audit           // looks at its rows, jobs or not
};

/// The arguments of every command that reads a trace file.
struct TraceArguments {
  std::string file;
  std::string format;
  std::string zone = "UTC";
  std::string prefix = "--";  // of the names of its options

  /// Adds FILE, --format and --zone to a command. This object must outlive it.
  void add_to(CLI::App& command);

  /// Reads the trace as the command line asks, in the format that is named or that the first lines leave no
  /// doubt about. Throws InputError.
  [[nodiscard]] Trace read(TraceUse use = TraceUse::jobs) const;
};

}  // namespace stockout
