#include "tools/stockout/world_runs.h"

#include <utility>

#include <fmt/format.h>

#include "models/scenario/load/alternatives.h"
#include "sim/core/error.h"
#include "tools/report/comparison/report.h"
#include "tools/stockout/work_limit.h"

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
  for (const Override& change : scenario.options().overrides) {
    for (const PlacedValue& placed : set.worlds[set.typical].changes) {
      const std::string own = placed.pointer + '/';
      const std::string given = change.pointer + '/';
      if (!own.starts_with(given) && !given.starts_with(own)) continue;
      throw InputError{{.file = "command line", .pointer = "--set " + change.pointer},
                       fmt::format("is what the worlds of {} say: leave out one of the two", file)};
    }
  }
}

}  // namespace

ChosenWorlds choose_worlds(const std::string& file, std::size_t most, ScenarioArguments& scenario) {
  const WorldSet set = read_world_set(file);
  check_not_set(scenario, set, file);
  ChosenWorlds chosen{.as_written = scenario,
                      .scenario = set.scenario,
                      .file = file,
                      .observed = set.observed,
                      .worlds = set.representative(most)};
  scenario.placed = set.worlds[set.typical].changes;
  return chosen;
}

void check_worlds(const ChosenWorlds& chosen, const Scenario& middle) {
  if (chosen.scenario != middle.name) {
    throw InputError{{.file = chosen.file, .pointer = "/scenario"},
                     fmt::format("are worlds of \"{}\", but {} is \"{}\": calibrate this one",
                                 chosen.scenario, middle.file, middle.name)};
  }
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
  return make_world_band(std::move(results), chosen.observed);
}

}  // namespace stockout
