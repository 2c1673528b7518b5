#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/scenario/format/node.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// Throws InputError, at `value`, unless the pointer stays within what the provider or the market decides:
/// only such worlds can be shown beside one another. `who` changes it: "an alternative".
void check_may_differ(const Node& value, const std::string& pointer, std::string_view who);

/// The alternatives of a scenario file: names that are unique, pointers that stay within what the provider or
/// the market decides. Throws InputError. Whether a pointer leads anywhere shows when it is used.
[[nodiscard]] std::vector<Alternative> read_alternatives(const Node& root);

/// Whether both have strategies of the same names, in the same order.
[[nodiscard]] bool same_strategies(const Scenario& one, const Scenario& other);

/// The scenario under an alternative of it: `load` reads it with the values given to it. Throws InputError
/// that names the alternative if there is no such scenario, or if its results could not be put beside those
/// of `written`: other strategies, or other jobs in the first replication.
[[nodiscard]] Scenario load_alternative(const Scenario& written, const Alternative& alternative,
                                        const std::function<Scenario(const std::vector<PlacedValue>&)>& load);

}  // namespace stockout
