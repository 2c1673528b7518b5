#pragma once

#include <vector>

#include "models/consumption/policy.h"
#include "models/scenario/format/relation.h"

namespace stockout {

// What the keys of a whole scenario, of a strategy and of a leg ask of those within and beside them.
[[nodiscard]] std::vector<KeyRelation> scenario_relations();
[[nodiscard]] std::vector<KeyRelation> strategy_relations();
[[nodiscard]] std::vector<KeyRelation> leg_relations();

/// The consumption models for which something is true, as words of `key`.
[[nodiscard]] KeyHas model_is(bool (*is)(const Policy&), std::string key = "model");

}  // namespace stockout
