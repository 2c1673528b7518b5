#pragma once

#include <string>

#include "sim/core/time.h"

namespace stockout {

/// A length as a person says it: "66 s", "49.2 min", "8.7 h", "53.6 days".
[[nodiscard]] std::string length_text(double ms);
[[nodiscard]] std::string length_text(SimDuration length);

}  // namespace stockout
