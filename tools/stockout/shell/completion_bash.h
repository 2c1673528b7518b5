#pragma once

#include <string>

#include "tools/stockout/shell/command_shape.h"

namespace stockout {

/// A script for bash that completes commands, options, their values, files, and the names of a scenario's
/// strategies, which it asks the program for. To be sourced, or put into bash-completion/completions.
[[nodiscard]] std::string bash_completion(const CommandShape& program);

}  // namespace stockout
