#pragma once

#include <string>

#include "tools/stockout/shell/command_shape.h"

namespace stockout {

/// A script for zsh that completes what bash_completion() does: the file _stockout in a folder of $fpath.
[[nodiscard]] std::string zsh_completion(const CommandShape& program);

}  // namespace stockout
