#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/experiment/world_turns.h"
#include "models/scenario/format/placed_value.h"
#include "models/sweep/parameter.h"

namespace stockout {

struct Scenario;
struct Sweep;

/// One of the worlds over which a sweep is run.
struct SweepWorld {
  std::string name;
  std::vector<PlacedValue> changes;
};

/// Worlds that take turns over the replications of every point of a sweep.
struct SweepWorlds {
  std::string file;             // that they are from: for messages
  std::string agreement;        // with a history: "agree with waits.csv"
  std::vector<SweepWorld> all;  // empty: every point is as its scenario is written
  WorldTurns turns;             // by place in `all`
};

/// Throws InputError if the sweep varies what the worlds say, or what tells which pool, strategy, ... their
/// values are of.
void check_apart_from_worlds(const std::vector<Parameter>& parameters, const SweepWorlds& worlds);

/// Throws InputError unless a scenario's replications are whole rounds of the worlds, with the next number
/// that is. So many are not known where a precision is asked for.
void check_whole_rounds(const Scenario& scenario, const SweepWorlds& worlds);

/// The same for every number of replications that the sweep varies.
void check_whole_rounds(const Sweep& sweep);

}  // namespace stockout
