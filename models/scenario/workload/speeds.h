#pragma once

#include <optional>
#include <span>
#include <string>

#include "models/scenario/draft/draft.h"

namespace stockout {

/// Reads `speed` and `gpu_memory` of a source whose own GPU type is `gpu` (may be empty) and whose machine is
/// of `family` (may be empty). 0 if it says neither.
[[nodiscard]] SpeedId read_speed(Draft& draft, const Node& source, const std::string& gpu,
                                 const std::string& family);

/// A speed more. Throws InputError if they are too many.
[[nodiscard]] SpeedId add_speed(Draft& draft, const Node& source, SpeedProfile profile);

/// The machine family on which work measured on `gpu` was done: `family` if it has that type, else the only
/// one that does. Throws InputError at `node` if there are several.
[[nodiscard]] std::string reference_family(const Draft& draft, const Node& node, const std::string& gpu,
                                           const std::string& family);

/// The rate of a job on the machines of a candidate. Throws InputError if it cannot be worked out or leaves
/// the bounds of a rate.
[[nodiscard]] Rate rate_on(Draft& draft, const Shape& shape, std::span<const MachineId> machines);

/// Every number that rates were worked out from goes to the scenario's assumptions. Throws InputError if jobs
/// need more GPU memory than any place of any leg has.
void tell_speeds(Draft& draft);

}  // namespace stockout
