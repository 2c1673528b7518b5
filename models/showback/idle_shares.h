#pragma once

#include <span>
#include <vector>

#include "models/showback/charge_row.h"

namespace stockout {

/// The rows with what is idle shared out by the rule, in the same order of subjects. `submitters`: users who
/// submitted a job in the window, for IdleRule::by_share. What nobody is there to bear stays with its owner.
[[nodiscard]] std::vector<ChargeRow> with_idle_shared(std::span<const ChargeRow> rows, IdleRule rule,
                                                      std::span<const UserId> submitters);

}  // namespace stockout
