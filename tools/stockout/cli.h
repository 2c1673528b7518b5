#pragma once

#include <string>
#include <vector>

#include "tools/stockout/terminal/console.h"

namespace stockout {

/// The whole program but for the operating system: reads the command line (`arguments` without the program's
/// name), does the command, writes what is wrong to console.err. Never throws.
[[nodiscard]] ExitCode run_cli(const std::vector<std::string>& arguments, Console& console);

}  // namespace stockout
