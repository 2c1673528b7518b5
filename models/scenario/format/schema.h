#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/scenario/format/spec.h"

namespace stockout {

/// The scenario format as JSON Schema (draft 2020-12): what scenarios/schema.json holds. For editors; it
/// knows kinds, keys and ranges, not names that refer to one another.
[[nodiscard]] std::string scenario_schema();

/// The same for another format of ours: `objects` are all of its, the whole file first; `made_from` is where
/// they are declared.
[[nodiscard]] std::string format_schema(std::string_view title, std::string_view made_from,
                                        std::span<const ObjectSpec* const> objects);

}  // namespace stockout
