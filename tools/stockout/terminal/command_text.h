#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace stockout {

/// The command line that gives a command the same arguments again, for a shell: what was named on it, in the
/// order of the help page. `but`: options that are left out, since they change no result.
[[nodiscard]] std::string command_text(const CLI::App& command,
                                       std::initializer_list<std::string_view> but = {});

}  // namespace stockout
