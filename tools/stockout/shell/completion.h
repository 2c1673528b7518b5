#pragma once

#include <string>

#include "tools/stockout/shell/command_shape.h"

namespace stockout {

/// A script for bash that completes commands, options, their values, files, and the names of a scenario's
/// strategies, which it asks the program for. To be sourced, or put into bash-completion/completions.
[[nodiscard]] std::string bash_completion(const CommandShape& program);

/// The same for zsh: the file _stockout in a folder of $fpath.
[[nodiscard]] std::string zsh_completion(const CommandShape& program);

/// Kind of a word that is to be typed: decides the offers.
enum class Completes { nothing, choices, files, json_files, folders, strategies };
[[nodiscard]] Completes offer_of(const OptionShape& option);

}  // namespace stockout
