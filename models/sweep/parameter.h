#pragma once

#include <string>
#include <vector>

#include "models/scenario/format/node.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// A value that a sweep varies.
struct Parameter {
  std::string column;                 // of the store: "demand", "limit_h"
  std::vector<std::string> pointers;  // into the scenario: all get the value
  SimDuration unit{};                 // not 0: values are numbers of it, and the scenario gets durations
  std::string said_in;                // "sweep.json:7: /vary/grid/0"
};

/// The parameter that a node with the keys `at`, `name` and `unit` describes. Throws InputError for a name
/// that is no name of a column.
[[nodiscard]] Parameter read_parameter(const Node& node);

/// Throws InputError unless the parameter can have the value: with a unit, numbers from 0 only.
void check_value(const Parameter& parameter, const Node& value);

/// The value as the scenario takes it, once for each pointer. `said_in` is where the value stands.
[[nodiscard]] std::vector<PlacedValue> place(const Parameter& parameter, const JsonValue& value,
                                             const std::string& said_in);

/// "sweep.json:7: /vary/grid/0", for messages.
[[nodiscard]] std::string place_text(const SourceRef& where);

}  // namespace stockout
