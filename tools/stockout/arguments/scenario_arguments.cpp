#include "tools/stockout/arguments/scenario_arguments.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/launch/ready_to_run.h"
#include "models/scenario/format/keys.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/terminal/old_prices.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

Override parse_set(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (text.empty() || text.front() != '/' || equals == std::string::npos) {
    throw InputError{{.file = "command line", .pointer = "--set"},
                     fmt::format("must be /json/pointer=value, as in /replications=20, but is \"{}\"", text)};
  }
  return {.pointer = text.substr(0, equals), .value = text.substr(equals + 1)};
}

template <typename Load>
Scenario in_memory(const std::string& file, Load load) {
  try {
    return load();
  } catch (const std::bad_alloc&) {
    throw InputError{{.file = file},
                     "it and the jobs of its traces do not fit into memory: keep fewer users of a trace "
                     "(\"only_users\"), split the file, or use a larger machine"};
  }
}

std::string reading_of(const std::string& file) { return "reading " + file + " and what it names"; }

}  // namespace

void ScenarioArguments::add_to(CLI::App& command) {
  command.add_option("SCENARIO", file, "The scenario file (JSON)")->required();
  command
      .add_option("--set", sets,
                  "/json/pointer=value: puts a value into the scenario before it is read; may be given again")
      ->allow_extra_args(false)
      ->type_name("POINTER=VALUE");
  command
      .add_option("--catalog", catalog_dir,
                  "A folder with the catalogue's files, instead of the built-in one")
      ->type_name("FOLDER");
  add_prices_to(command, price_files);
  command.add_option("--seed", seed, "Of all random numbers, instead of the scenario's")
      ->check(whole_number());
}

CLI::Option* ScenarioArguments::add_replications_to(CLI::App& command) {
  return command.add_option("--replications", replications, "How often, instead of the scenario's")
      ->check(whole_number(1, static_cast<std::uint64_t>(kMostReplications)));
}

ScenarioOptions ScenarioArguments::options() const {
  ScenarioOptions options;
  for (const std::string& text : sets) options.overrides.push_back(parse_set(text));
  options.catalog_dir = catalog_dir;
  options.price_files = price_files;
  options.seed = seed;
  options.replications = replications;
  options.placed = placed;
  options.part = part;
  return options;
}

Scenario ScenarioArguments::load(const std::vector<PlacedValue>& more) const {
  ScenarioOptions asked = options();
  asked.placed.insert(asked.placed.end(), more.begin(), more.end());
  return in_memory(file, [&] { return load_scenario(file, asked); });
}

Scenario ScenarioArguments::load_to_run(const std::vector<PlacedValue>& more, ScenarioCache* cache) const {
  ScenarioOptions asked = options();
  asked.placed.insert(asked.placed.end(), more.begin(), more.end());
  asked.cache = cache;
  const auto read = [&](const ScenarioOptions& with) { return load_scenario(file, with); };
  return in_memory(file, [&] { return ready_to_run(asked, read); });
}

Scenario ScenarioArguments::load(Console& console) const {
  return with_status(console, reading_of(file), [&] { return load(); });
}

Scenario ScenarioArguments::load_to_run(Console& console) const {
  Scenario scenario = with_status(console, reading_of(file), [&] { return load_to_run(); });
  warn_of_old_prices(scenario, console);
  return scenario;
}

CLI::Option* add_prices_to(CLI::App& command, std::vector<std::string>& files) {
  return command
      .add_option("--prices", files,
                  "The planner's own prices in a file (JSON), after the scenario's; may be given again")
      ->allow_extra_args(false)
      ->type_name("FILE");
}

std::size_t choose(std::string_view option, std::string_view what, const std::string& given,
                   std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), given);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::vector<std::string> known{names.begin(), names.end()};
  throw InputError{{.file = "command line", .pointer = std::string{option}},
                   unknown_name(what, given, known)};
}

std::string choices(std::span<const std::string_view> names) {
  return fmt::format("{}", fmt::join(names, "|"));
}

std::size_t find_strategy(const Scenario& scenario, const std::string& name, std::string_view option) {
  std::vector<std::string> known;
  for (const Strategy& strategy : scenario.world.strategies) {
    if (strategy.name == name) return known.size();
    known.push_back(strategy.name);
  }
  throw InputError{{.file = "command line", .pointer = std::string{option}},
                   unknown_name("strategy", name, known)};
}

}  // namespace stockout
