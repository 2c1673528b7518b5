#include "tools/stockout/calibration/observed_arguments.h"

#include <fmt/format.h>

#include "models/scenario/draft/scenario_cache.h"
#include "models/scenario/load/places_apart.h"
#include "sim/core/error.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

// Each world puts its own value there.
void check_not_set(const std::vector<Override>& overrides, const std::vector<Unknown>& unknown) {
  for (const Override& change : overrides) {
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      if (!shared_place({places_of(unknown[i]), {.name = "--set", .pointers = {change.pointer}}})) continue;
      throw InputError{{.file = "command line", .pointer = "--set " + change.pointer},
                       fmt::format("is what unknown \"{}\" leaves open: leave out one of the two, or narrow "
                                   "it with --set /unknown/{}/...",
                                   unknown[i].name, i)};
    }
  }
}

}  // namespace

CLI::Option* add_observed_to(CLI::App& command, const std::string& meaning, TraceArguments& record) {
  CLI::Option* observed = command.add_option("--observed", record.file, meaning)->type_name("FILE");
  command
      .add_option(record.prefix + "format", record.format,
                  "Format of that file; default: recognised by its beginning")
      ->type_name(choices(kTraceFormatNames));
  command
      .add_option(record.prefix + "zone", record.zone,
                  "Time zone of its dates without an offset: UTC, -08:00 or America/Los_Angeles")
      ->capture_default_str()
      ->type_name("ZONE");
  return observed;
}

void ObservedArguments::add_to(CLI::App& command) {
  add_observed_to(command, "The history: a trace that tells how long its jobs waited", record)->required();
  command
      .add_option("--strategy", strategy, "How the jobs of the history were bought; default: the only one")
      ->type_name("STRATEGY");
}

std::size_t ObservedArguments::strategy_of(const Scenario& scenario) const {
  if (!strategy.empty()) return find_strategy(scenario, strategy);
  if (scenario.world.strategies.size() == 1) return 0;
  throw InputError{
      {.file = "command line", .pointer = "--strategy"},
      fmt::format("is missing: {} has {} strategies, and the history came about under one, such as \"{}\"",
                  scenario.file, scenario.world.strategies.size(), scenario.world.strategies.front().name)};
}

RecordedHistory ObservedArguments::read(const Scenario& scenario, Console& console) const {
  return with_status(console, "reading " + record.file, [&] { return read_history(record, scenario); });
}

void CalibrationArguments::add_to(CLI::App& command) {
  command.add_option("--runs", runs, "Worlds to simulate, each once")
      ->capture_default_str()
      ->check(whole_number(kFewestCalibrationRuns, kMostCalibrationRuns));
  command
      .add_option("--threads", threads,
                  "Simulations at a time, at most as many as the machine has cores; 0: so many")
      ->check(whole_number(0, 1024));
}

Calibration run_calibration(const CalibrationTask& task, const CalibrationArguments& arguments,
                            Console& console) {
  check_not_set(task.scenario.options().overrides, task.written.unknown);
  ScenarioCache cache;
  ProgressMeter progress{console};
  const auto load = [&](const std::vector<PlacedValue>& changes) {
    std::vector<PlacedValue> placed = task.placed;
    placed.insert(placed.end(), changes.begin(), changes.end());
    return task.scenario.load_to_run(placed, &cache);
  };
  return calibrate(task.written, task.strategy, task.history, load,
                   {.runs = arguments.runs,
                    .threads = arguments.threads,
                    .done = [&](std::size_t done) { progress.show(done, arguments.runs); },
                    .store = task.store});
}

}  // namespace stockout
