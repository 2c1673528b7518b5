#include "tests/support/scenarios/scenario_reader.h"

#include <exception>
#include <filesystem>

#include <fmt/format.h>

#include "models/launch/ready_to_run.h"
#include "sim/core/error.h"
#include "tests/support/runs/agreement.h"

namespace stockout::test {
namespace {

FileVerdict run_every_strategy(const World& world) {
  for (std::size_t i = 0; i < world.strategies.size(); ++i) {
    const std::string found = run_both(world, i, world.seed % 3).disagreement;
    if (!found.empty())
      return {.what = FileVerdict::What::fails, .text = fmt::format("{}strategy {}\n", found, i)};
  }
  return {};
}

}  // namespace

ScenarioReader::ScenarioReader(const std::string& folder)
    : path_{(std::filesystem::path{folder} / "scenario.json").string()} {
  write_files_of_scenarios(folder);
}

Scenario ScenarioReader::read(const Json& file) {
  ScenarioOptions options;
  options.cache = &cache_;
  return ready_to_run(options, [&](const ScenarioOptions& asked) {
    return parse_scenario(file.dump(1), path_, catalog_, asked);
  });
}

FileVerdict verdict_on(ScenarioReader& reader, const Json& file) {
  try {
    return run_every_strategy(reader.read(file).world);
  } catch (const InputError& error) {
    return {.what = FileVerdict::What::refused, .text = error.what()};
  } catch (const std::exception& error) {
    return {.what = FileVerdict::What::fails, .text = fmt::format("the reader threw: {}\n", error.what())};
  }
}

}  // namespace stockout::test
