#pragma once

#include <string>

#include "sim/core/error.h"

namespace stockout {

/// The place as an InputError's text begins with it: "scenario.json:14: /pools/0/gpus: ". Empty if none is
/// known.
[[nodiscard]] std::string error_place(const SourceRef& where);

}  // namespace stockout
