#pragma once

#include <string>
#include <vector>

#include "models/calibration/world_set.h"
#include "models/scenario/format/unknown.h"
#include "sim/io/json_value.h"

namespace stockout {

/// Where a file of worlds and a scenario come from: for messages.
struct WorldsAndScenario {
  std::string worlds;
  std::string scenario;
};

/// The item that a JSON pointer into a scenario's text leads into, as people call it: `pool "h100
/// us-central1-a"`. By the names of the items of lists on its way; of one without a name by its family, GPU,
/// machine or model, and its place. Empty where nothing on the way has either.
[[nodiscard]] std::string named_at(const JsonValue& scenario, const std::string& pointer);

/// Notes in a set the places of its scenario's unknowns, in their order, and what each points into.
void name_places(WorldSet& set, const std::vector<Unknown>& unknown, const JsonValue& scenario);

/// Throws InputError unless the worlds are of this scenario: by its name, and by what stands at each place
/// that they change. Lists may have been put into another order since, or name other pools: a value that was
/// found for one of them would be put into another. `scenario`: its text, with what the command line says.
void check_same_scenario(const WorldSet& set, const JsonValue& scenario, const WorldsAndScenario& files);

}  // namespace stockout
