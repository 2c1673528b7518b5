#pragma once

#include <string>
#include <vector>

#include "models/scenario/format/node.h"
#include "sim/core/time.h"

namespace stockout {

// Of values that are put in the place of others, by a sweep or a decision.

/// A number as a file has it: a whole one stays so, since a count is no 4.0.
[[nodiscard]] JsonValue number_value_of(double number);

/// Where: the JSON pointers that a node holds, one or a list. Throws InputError unless each begins with "/".
[[nodiscard]] std::vector<std::string> read_pointers(const Node& at);

/// How long the unit is that a node with the choices s, min, h, d names.
[[nodiscard]] SimDuration read_unit(const Node& unit);

/// The most units that a length may have.
[[nodiscard]] double most_units(SimDuration unit);

/// Whether a value is a number of units, from 0 to most_units().
[[nodiscard]] bool is_in_units(const JsonValue& value, SimDuration unit);

/// So many units as the scenario reads a length: "5400000ms". is_in_units() holds.
[[nodiscard]] JsonValue length_of(const JsonValue& value, SimDuration unit);

}  // namespace stockout
