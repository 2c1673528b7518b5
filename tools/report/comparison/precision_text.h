#pragma once

#include <string>

#include "models/experiment/comparison.h"

namespace stockout {

/// How exactly the least known of what is asked is known so far: "wait_mean_h at ± 7.2 % of its mean, 5 %
/// asked".
[[nodiscard]] std::string precision_text(const PrecisionReached& reached);

/// The same for the end of a comparison, in sentences: whether the precision was reached, with how many
/// replications, and what was left out.
[[nodiscard]] std::string precision_note(const Comparison& comparison);

/// Which controls results are adjusted by, what was drawn and what is expected of them; or why they are not.
[[nodiscard]] std::string controls_note(const Comparison& comparison);

}  // namespace stockout
