#pragma once

#include <string>

#include "tools/stockout/shell/command_shape.h"

namespace stockout {

/// The manual page stockout(1), for man and mandoc: every command with its arguments, options and examples.
[[nodiscard]] std::string manual_page(const CommandShape& program, const std::string& version);

}  // namespace stockout
