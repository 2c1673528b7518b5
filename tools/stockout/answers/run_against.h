#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "tools/stockout/arguments/report_arguments.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/terminal/console.h"
#include "tools/stockout/traces/trace_arguments.h"

namespace stockout {

/// The arguments of `run` about a record that its waits are set against.
struct AgainstArguments {
  TraceArguments record{.file = {}, .format = {}, .zone = "UTC", .prefix = "--against-"};

  /// Adds --against, --against-format and --against-zone to a command. This object must outlive it. Returns
  /// the first.
  CLI::Option* add_to(CLI::App& command);
};

/// Runs all replications of a strategy and writes their waits beside the recorded ones. Throws InputError for
/// a file that records no waits.
void run_against(const AgainstArguments& arguments, const ScenarioArguments& scenario,
                 const ReportArguments& report, const std::string& strategy, Console& console);

}  // namespace stockout
