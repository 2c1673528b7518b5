#pragma once

#include <vector>

#include "models/catalog/date.h"
#include "models/workload/trace.h"
#include "sim/io/commented_json.h"

namespace stockout {

/// A working day of a history with few submissions: a holiday, perhaps.
struct QuietDay {
  Date day{};
  double times = 0;  // its submissions as a share of those of the median working day
};

/// Monday to Friday with less than a quarter of the submissions of the median working day, in UTC. Nothing
/// for a history without dates, of under ten working days, or of over 400 days.
[[nodiscard]] std::vector<QuietDay> quiet_days_of(const Trace& trace);

/// The days as `demand` of a scenario, switched off: days in a row are one peak.
[[nodiscard]] CommentedJson holiday_calendar(const std::vector<QuietDay>& days);

/// The same for made-up jobs from `start` on, with days to fill in.
[[nodiscard]] CommentedJson holiday_question(Date start);

}  // namespace stockout
