#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace stockout {

/// The command line that gives a command the same arguments again, for a shell: what was named on it, in the
/// order of the help page.
[[nodiscard]] std::string command_text(const CLI::App& command);

}  // namespace stockout
