#include "models/sweep/sweep_worlds.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "models/scenario/load/places_apart.h"
#include "models/scenario/scenario.h"
#include "models/sweep/sweep_file.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

NamedPlaces places_of_worlds(const SweepWorlds& worlds) {
  NamedPlaces places{.name = "the worlds", .pointers = {}};
  for (const SweepWorld& world : worlds.all) {
    for (const PlacedValue& change : world.changes) places.pointers.push_back(change.pointer);
  }
  return places;
}

// Whether a place says which item of a list another one is within.
bool names_item_of(std::string_view pointer, std::string_view within) {
  const std::size_t end = pointer.rfind('/');
  return is_naming_key(pointer.substr(end + 1)) && within.starts_with(pointer.substr(0, end + 1));
}

[[noreturn]] void refuse_rounds(const SourceRef& where, std::size_t replications, const SweepWorlds& worlds) {
  throw InputError{
      where,
      fmt::format("{} replications are not whole rounds: the {} worlds of {} take turns, {} in a round. "
                  "The next number that works is {}; fewer --most-worlds make a round shorter",
                  replications, worlds.all.size(), worlds.file, worlds.turns.round(),
                  worlds.turns.whole_rounds(replications))};
}

}  // namespace

void check_apart_from_worlds(const std::vector<Parameter>& parameters, const SweepWorlds& worlds) {
  const NamedPlaces own = places_of_worlds(worlds);
  for (const Parameter& parameter : parameters) {
    if (shared_place({own, {.name = parameter.column, .pointers = parameter.pointers}})) {
      throw InputError{
          {.file = parameter.said_in},
          fmt::format("is what the worlds of {} say too: leave out one of the two", worlds.file)};
    }
    for (const std::string& pointer : parameter.pointers) {
      const auto moved = std::ranges::find_if(
          own.pointers, [&](const std::string& place) { return names_item_of(pointer, place); });
      if (moved == own.pointers.end()) continue;
      throw InputError{{.file = parameter.said_in},
                       fmt::format("says what {} is of, and the worlds of {} were calibrated for what is "
                                   "written there: leave out one of the two",
                                   *moved, worlds.file)};
    }
  }
}

void check_whole_rounds(const Scenario& scenario, const SweepWorlds& worlds) {
  if (scenario.precision) {
    throw InputError{{.file = scenario.file, .pointer = "/precision"},
                     "worlds take turns over a given number of replications: leave out the precision"};
  }
  const auto replications = static_cast<std::size_t>(scenario.replications);
  if (worlds.turns.whole_rounds(replications) != replications)
    refuse_rounds({.file = scenario.file, .pointer = "/replications"}, replications, worlds);
}

void check_whole_rounds(const Sweep& sweep) {
  const std::vector<Parameter>& parameters = sweep.design.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (std::ranges::find(parameters[i].pointers, "/replications") == parameters[i].pointers.end()) continue;
    for (std::size_t point = 0; point < sweep.design.points(); ++point) {
      const auto* asked = sweep.design.values(point)[i]->get<std::int64_t>();
      if (asked == nullptr || *asked < 1) continue;  // no number of replications: refused at the point
      const auto replications = static_cast<std::size_t>(*asked);
      if (sweep.worlds.turns.whole_rounds(replications) != replications)
        refuse_rounds({.file = parameters[i].said_in}, replications, sweep.worlds);
    }
  }
}

}  // namespace stockout
