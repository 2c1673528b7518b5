#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "models/workload/trace.h"

namespace stockout {

/// The arguments of every command that reads a trace file.
struct TraceArguments {
  std::string file;
  std::string format;
  std::string zone = "UTC";
  std::string prefix = "--";  // of the names of its options

  /// Adds FILE, --format and --zone to a command. This object must outlive it.
  void add_to(CLI::App& command);

  /// Reads the trace as the command line asks, in the format that is named or that the first lines leave no
  /// doubt about; with its rows for an audit if that is asked for. Throws InputError.
  [[nodiscard]] Trace read(bool keep_rows = false) const;
};

}  // namespace stockout
