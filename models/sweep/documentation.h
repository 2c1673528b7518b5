#pragma once

#include <string>

namespace stockout {

/// The sweep format as JSON Schema: what scenarios/sweeps/schema.json holds.
[[nodiscard]] std::string sweep_schema();

/// The sweep format for people: what scenarios/sweeps/REFERENCE.md holds.
[[nodiscard]] std::string sweep_reference();

}  // namespace stockout
