#pragma once

#include <string>

#include "tools/stockout/shell/command_shape.h"

namespace stockout {

/// Kind of a word that is to be typed: decides the offers.
enum class Completes { nothing, choices, files, json_files, folders, strategies };
[[nodiscard]] Completes offer_of(const OptionShape& option);

}  // namespace stockout
