#pragma once

#include <cstddef>
#include <string>

#include "tools/report/recommend/answer.h"

namespace stockout {

/// That no purchase meets the goals, which comes nearest, by how much it misses, and what may help.
[[nodiscard]] std::string none_meets_text(const RecommendationReport& report);

/// That it is undecided, what is open, and about how many runs would tell.
[[nodiscard]] std::string undecided_text(const RecommendationReport& report);

/// About how many runs of each purchase would decide, rounded up, as far as is seen; 0: that is not known.
/// The recommendation is undecided.
[[nodiscard]] std::size_t runs_to_decide(const Recommendation& found);

}  // namespace stockout
