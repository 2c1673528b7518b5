#pragma once

#include "models/scenario/node.h"
#include "sim/random/law.h"

namespace stockout {

/// A fixed length or a law. Checks what the spec cannot: that a uniform law is the right way round, and that
/// no law is nothing but zeros where `positive` asks for more.
[[nodiscard]] Law to_law(const Node& node, bool positive);

/// The mean of what is drawn, `most` taken into account, in milliseconds.
[[nodiscard]] double cut_mean_ms(const Law& law);

}  // namespace stockout
