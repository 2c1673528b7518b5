// Built with the thread sanitizer by .ci/run. Plain threads, since the sanitizer cannot look into a task
// library that was built without it.

#include <array>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include <catch2/catch.hpp>

#include "models/scenario/draft/scenario_cache.h"
#include "models/scenario/scenario.h"
#include "models/simulation/simulate.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;

TEST_CASE("Simulations of one world on several threads at once make the records that one thread makes",
          "[simulation]") {
  ScenarioOptions options;
  options.overrides = {{"/window", "4d"}, {"/warm_up", "1d"}};
  const Scenario scenario = load_scenario(STOCKOUT_SCENARIOS_DIR "/quickstart.json", options);
  const World& world = scenario.world;
  constexpr std::size_t kThreads = 4;
  REQUIRE(world.strategies.size() >= kThreads);
  std::array<std::uint64_t, kThreads> together{};
  std::array<std::thread, kThreads> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads[i] =
        std::thread{[&world, &print = together[i], i] { print = simulate(world, i, 0).fingerprint; }};
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < kThreads; ++i) CHECK(together[i] == simulate(world, i, 0).fingerprint);
}

TEST_CASE("Scenarios that are built on several threads at once share their trace", "[scenario]") {
  const test::ScenarioLoader loader;
  static_cast<void>(loader.folder().file("jobs.csv", "submit,duration,gpus\n0,3600,1\n7200,3600,2\n"));
  const std::string path = loader.folder().file("small.json", test::kSmallScenario);
  ScenarioCache cache;
  ScenarioOptions options;
  options.cache = &cache;
  options.overrides = {
      {"/workload/0", R"({"name": "jobs", "machine": "generic", "trace": {"format": "csv", "file": ")" +
                          loader.folder().path("jobs.csv") + "\"}}"}};
  std::array<std::optional<Scenario>, 4> scenarios;
  std::array<std::thread, 4> threads;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i] = std::thread{[&, &made = scenarios[i]] { made = load_scenario(path, options); }};
  }
  for (std::thread& thread : threads) thread.join();
  const auto jobs = [](const Scenario& scenario) {
    return std::get<TraceDemand>(scenario.world.sources.front().demand).jobs;
  };
  for (const auto& scenario : scenarios) CHECK(jobs(*scenario) == jobs(*scenarios.front()));
}
