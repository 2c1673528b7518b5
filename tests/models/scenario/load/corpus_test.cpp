// The worlds of the fuzz corpus: each puts together what other scenarios have apart, and runs to its end.

#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/scenario/scenario.h"
#include "models/simulation/simulate.h"

using namespace stockout;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> worlds_of_corpus(const fs::path& folder) {
  std::vector<std::string> worlds;
  for (const auto& entry : fs::directory_iterator{folder}) {
    if (entry.path().filename().string().starts_with("world-")) worlds.push_back(entry.path().string());
  }
  return worlds;
}

}  // namespace

TEST_CASE("Every world of the corpus is accepted, and jobs start under each of its strategies",
          "[scenario]") {
  const fs::path corpus = fs::path{STOCKOUT_SCENARIOS_DIR}.parent_path() / "tests/corpus";
  const std::vector<std::string> worlds = worlds_of_corpus(corpus / "scenario");
  CHECK(worlds.size() >= 6);
  for (const std::string& world : worlds) {
    CAPTURE(world);
    const Scenario scenario = load_scenario(world);
    for (std::size_t strategy = 0; strategy < scenario.world.strategies.size(); ++strategy) {
      CAPTURE(strategy);
      const RunRecord record = simulate(scenario.world, strategy, 0);
      CHECK_FALSE(record.usage.keys().empty());
    }
  }
}
