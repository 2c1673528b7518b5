#pragma once

#include "models/scenario/format/node.h"
#include "sim/random/law.h"

namespace stockout {

/// Rules for a length besides those of its spec.
struct LengthRules {
  bool positive = false;  // no law is nothing but zeros
  bool may_last = false;  // a law may have a share that lives for ever
};

/// A fixed length or a law. Checks what the spec cannot: the rules, that a uniform law is the right way
/// round, that only what may_last lives for ever. Reads the files that it names.
[[nodiscard]] Law to_law(const Node& node, const LengthRules& rules);

/// The mean of what is drawn, `most` taken into account, in milliseconds.
[[nodiscard]] double cut_mean_ms(const Law& law);

}  // namespace stockout
