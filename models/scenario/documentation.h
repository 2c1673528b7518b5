#pragma once

#include <string>

namespace stockout {

/// The scenario format as JSON Schema (draft 2020-12): what scenarios/schema.json holds. For editors; it
/// knows kinds, keys and ranges, not names that refer to one another.
[[nodiscard]] std::string scenario_schema();

/// The scenario format for people: what scenarios/REFERENCE.md holds.
[[nodiscard]] std::string scenario_reference();

}  // namespace stockout
