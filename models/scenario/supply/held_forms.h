#pragma once

#include <optional>
#include <vector>

#include "models/scenario/draft/draft.h"

namespace stockout {

/// Reads when the capacity is held, and what its model says about getting it, into `held`, whose machines are
/// known already. Throws InputError for a key that the model does not know, and for what its rules do not
/// allow: Calendar mode is for 1 to 90 days and booked at least 87 h beforehand (Google's documentation as of
/// 2026-08).
void read_form(Draft& draft, const Node& node, HeldModel model, HeldPool& held);

/// How the Spot machines of a zone pool are reclaimed together, if so.
[[nodiscard]] std::optional<MassReclaim> read_mass_reclaim(Draft& draft, const Node& node, const Pool& pool);

/// How the pool's machines break.
[[nodiscard]] std::vector<FaultRule> read_faults(const Node& pool);

}  // namespace stockout
