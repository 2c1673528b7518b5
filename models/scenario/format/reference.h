#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/scenario/format/spec.h"

namespace stockout {

/// The scenario format for people: what scenarios/REFERENCE.md holds.
[[nodiscard]] std::string scenario_reference();

/// The same for another format of ours: `objects` are all of its, the whole file first; `head` comes before.
[[nodiscard]] std::string format_reference(std::string_view head, std::span<const ObjectSpec* const> objects);

}  // namespace stockout
