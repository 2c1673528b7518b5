#include "tools/stockout/arguments/world_runs.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "models/calibration/world_places.h"
#include "models/scenario/load/alternatives.h"
#include "models/scenario/load/places_apart.h"
#include "sim/core/error.h"
#include "tools/report/comparison/report.h"
#include "tools/stockout/arguments/scenario_text.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/arguments/work_limit.h"

namespace stockout {
namespace {

Scenario load_world(const Scenario& middle, const CalibratedWorld& world,
                    const std::function<Scenario(const std::vector<PlacedValue>&)>& load) {
  Scenario scenario =
      load_alternative(middle, {.rule = "worlds", .name = world.name, .changes = world.changes}, load);
  scenario.precision = middle.precision;
  scenario.control_variates = middle.control_variates;
  return scenario;
}

// A world would put its own value there.
void check_not_set(const ScenarioArguments& scenario, const WorldSet& set, const std::string& file) {
  std::set<std::string> own;  // places that worlds change
  for (const CalibratedWorld& world : set.worlds) {
    for (const PlacedValue& placed : world.changes) own.insert(placed.pointer);
  }
  const NamedPlaces worlds{.name = "the worlds", .pointers = {own.begin(), own.end()}};
  for (const Override& change : scenario.options().overrides) {
    if (!shared_place({worlds, {.name = "--set", .pointers = {change.pointer}}})) continue;
    throw InputError{{.file = "command line", .pointer = "--set " + change.pointer},
                     fmt::format("is what the worlds of {} say: leave out one of the two", file)};
  }
}

}  // namespace

CLI::Option* add_worlds_options(CLI::App& command, const std::string& meaning, std::string& file,
                                std::size_t& most) {
  CLI::Option* worlds = command.add_option("--worlds", file, meaning)->type_name("FILE");
  command.add_option("--most-worlds", most, "Of these at most so many, which represent all")
      ->capture_default_str()
      ->check(whole_number(1, 1'000))
      ->needs(worlds);
  return worlds;
}

WorldTurns turns_of(const ChosenWorlds& chosen) {
  std::vector<double> weights;
  for (const CalibratedWorld& world : chosen.worlds) weights.push_back(world.weight);
  return WorldTurns::by_weight(weights, chosen.most);
}

std::string middle_assumption(const std::string& file) {
  return fmt::format(
      "unknowns have the values of the world in the middle of {}, which replace the written ones", file);
}

ChosenWorlds choose_worlds(const std::string& file, std::size_t most, ScenarioArguments& scenario) {
  const WorldSet set = read_world_set(file);
  const ScenarioText text = scenario_text(scenario.file, scenario.options());
  check_not_set(scenario, set, file);
  check_same_scenario(set, text.root, {.worlds = file, .scenario = scenario.file});
  check_places(set, scenario.load({}).unknown, file);
  ChosenWorlds chosen{.as_written = scenario,
                      .file = file,
                      .agreement = agreement_text(set),
                      .in_all = set.worlds.size(),
                      .most = most,
                      .worlds = set.representative(most)};
  scenario.placed = set.worlds[set.typical].changes;
  return chosen;
}

void check_worlds(const ChosenWorlds& chosen, const Scenario& middle) {
  const auto load = [&](const std::vector<PlacedValue>& placed) { return chosen.as_written.load(placed); };
  for (const CalibratedWorld& world : chosen.worlds)
    check_total_work(load_world(middle, world, load), chosen.worlds.size() + 1);
}

WorldBand run_worlds(const ChosenWorlds& chosen, const Scenario& middle,
                     const std::function<Comparison(const Scenario&)>& compare_in) {
  const auto load = [&](const std::vector<PlacedValue>& placed) {
    return chosen.as_written.load_to_run(placed);
  };
  std::vector<WorldResult> results;
  for (const CalibratedWorld& world : chosen.worlds) {
    const Scenario scenario = load_world(middle, world, load);
    WorldResult result{
        .name = world.name, .weight = world.weight, .comparison = compare_in(scenario), .verdict = {}};
    for (StrategyResult& strategy : result.comparison.strategies) strategy.groups = {};  // not told of
    result.verdict = judge(result.comparison, scenario.goal, goal_text(scenario));
    results.push_back(std::move(result));
  }
  return make_world_band(std::move(results), chosen.agreement);
}

}  // namespace stockout
