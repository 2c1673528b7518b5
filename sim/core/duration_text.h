#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/core/time.h"

namespace stockout {

/// A length of time as people write it: one or more numbers, each with a unit out of ms, s, min, h, d, w, as
/// in "500ms", "1.5h", "1h 30min", or "forever" (kForever). The units' words will do too, also of one: "2
/// weeks", "1 hour 30 minutes". One blank may stand before a unit. Nothing if the text is anything else, a
/// bare number included; if it is not a whole number of milliseconds; or if it does not fit.
[[nodiscard]] std::optional<SimDuration> parse_duration(std::string_view text);

/// The shortest text that parse_duration() reads back, in d, h, min, s and ms: "1h 30min", "0s", "forever". A
/// negative length has a leading "-", which parse_duration() does not read.
[[nodiscard]] std::string format_duration(SimDuration length);

}  // namespace stockout
