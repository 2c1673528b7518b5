#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/scenario/scenario.h"

namespace stockout {

/// A file that the command line asks to be written.
struct OutputFile {
  std::string_view option;  // "--jobs-out"
  std::string path;         // empty: not asked for
};

/// Throws InputError if two of the outputs are the same file, or if one of them is a file that the scenario
/// was read from. What is no ordinary file (/dev/null, a pipe) may be named more than once.
void check_outputs(std::span<const OutputFile> outputs, const Scenario& scenario);

}  // namespace stockout
