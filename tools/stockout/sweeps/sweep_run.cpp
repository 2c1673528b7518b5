#include "tools/stockout/sweeps/sweep_run.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/catalog/tables.h"
#include "models/scenario/load/alternatives.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

std::vector<InputStamp> catalog_stamps(const std::string& folder, InputStamps& inputs) {
  if (folder.empty()) return {InputStamps::built_in_catalog()};
  std::vector<InputStamp> stamps;
  for (const CatalogFile& file : kCatalogFiles)
    stamps.push_back(inputs.of(fmt::format("{}/{}", folder, file.name)));
  return stamps;
}

bool varies_replications(const Sweep& sweep) {
  return std::ranges::any_of(sweep.design.parameters(), [](const Parameter& parameter) {
    return std::ranges::find(parameter.pointers, "/replications") != parameter.pointers.end();
  });
}

}  // namespace

Sweep read_sweep_over(const std::string& file, const std::string& catalog_dir,
                      const std::vector<std::string>& price_files, const SweepWorldsArguments& worlds) {
  Sweep sweep = read_sweep(file, price_files);
  if (worlds.file.empty()) return sweep;
  ScenarioArguments scenario;
  scenario.file = sweep.scenario_file;
  scenario.catalog_dir = catalog_dir;
  scenario.price_files = price_files;
  ChosenWorlds chosen = choose_worlds(worlds.file, worlds.most, scenario);
  sweep.worlds = {
      .file = worlds.file, .agreement = std::move(chosen.agreement), .all = {}, .turns = turns_of(chosen)};
  for (CalibratedWorld& world : chosen.worlds)
    sweep.worlds.all.push_back({.name = std::move(world.name), .changes = std::move(world.changes)});
  check_apart_from_worlds(sweep.design.parameters(), sweep.worlds);
  check_whole_rounds(sweep);
  return sweep;
}

SweepRun::SweepRun(const std::string& file, const std::string& catalog_dir,
                   const std::vector<std::string>& price_files, const SweepWorldsArguments& worlds,
                   Console& console)
    : sweep_{with_status(console, "reading the sweep " + file,
                         [&] { return read_sweep_over(file, catalog_dir, price_files, worlds); })},
      catalog_dir_{catalog_dir},
      catalog_{catalog_dir.empty() ? Catalog::embedded() : Catalog::from_folder(catalog_dir)},
      inputs_{sweep_.folder()} {
  with_status(console, "reading the scenario of " + file, [&] { check_base(); });
}

// The scenario is right by itself, and in each of the worlds.
void SweepRun::check_base() {
  const Scenario base = base_scenario(sweep_, catalog_, cache_);
  if (sweep_.worlds.all.empty()) return;
  if (!varies_replications(sweep_)) check_whole_rounds(base, sweep_.worlds);
  for (const SweepWorld& world : sweep_.worlds.all) {
    static_cast<void>(load_alternative(base, {.rule = "worlds", .name = world.name, .changes = world.changes},
                                       [&](const std::vector<PlacedValue>& changes) {
                                         return base_scenario(sweep_, catalog_, cache_, changes);
                                       }));
  }
}

SweepOutcome SweepRun::fill(const std::string& store, bool resume, SweepOptions how) {
  SweepStore points{store, sweep_, how.shard, resume, inputs_};
  how.catalog = catalog_stamps(catalog_dir_, inputs_);
  points.check_catalog(how.catalog);
  const SweepOutcome outcome = run_sweep(sweep_, catalog_, cache_, inputs_, points, how);
  failed_ = points.failed_points();
  return outcome;
}

}  // namespace stockout
