// Built with the thread sanitizer by .ci/run. Plain threads, since the sanitizer cannot look into a task
// library that was built without it.

#include <array>
#include <thread>

#include <catch2/catch.hpp>

#include "models/scenario/scenario.h"
#include "models/simulation/simulate.h"

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
