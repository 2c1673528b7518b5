// No scenario makes a run that goes on for ever, or for so long that nobody would wait.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/launch/most_steps.h"
#include "models/scenario/buying/tries.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

std::string error_of(std::vector<Override> overrides) {
  const test::ScenarioLoader loader;
  return test::error_in([&] { static_cast<void>(loader.small(std::move(overrides))); });
}

constexpr const char* kCheckpoints = R"({"every": "1s"})";

Strategy one_leg(const Policy& policy) {
  Strategy strategy;
  strategy.legs.emplace_back().policy = policy;
  return strategy;
}

}  // namespace

TEST_CASE("What is tried again and again takes a second at least", "[scenario]") {
  CHECK(error_of({{"/strategies/0/legs/0", R"({"model": "on_demand", "retry_interval": "1ms"})"}}) ==
        "command line: --set /strategies/0/legs/0: /strategies/0/legs/0/retry_interval: on_demand tries "
        "again after 1ms: \"retry_interval\" must be at least 1s, or \"retries\" 0");
  CHECK_THAT(error_of({{"/models/spot", R"({"retries": "unlimited", "retry_interval": "999ms"})"}}),
             Contains("/models/spot/retry_interval") && Contains("at least 1s"));
  CHECK_THAT(error_of({{"/strategies/0/legs/0",
                        R"({"model": "flex_start", "retries": 1, "retry_interval": "0s"})"}}),
             Contains("flex_start tries again after 0s") && Contains("at least 1s"));
  CHECK(error_of({{"/models/all", R"({"retries": 20})"}}).empty());
  CHECK_THAT(error_of({{"/strategies/0/resubmit", R"({"after": "1ms"})"}}),
             Contains("/after: must be at least 1s, but is \"1ms\""));
  CHECK_THAT(error_of({{"/reservations/0/retry_every", "1ms"}}),
             Contains("must be at least 1s, but is \"1ms\""));
  CHECK(error_of({{"/strategies/0/legs/0", R"({"model": "on_demand", "retry_interval": "1s"})"}}).empty());
  CHECK(
      error_of({{"/strategies/0/legs/0", R"({"model": "on_demand", "retries": 0, "retry_interval": "0s"})"}})
          .empty());
}

TEST_CASE("A chain has links of a minute at least", "[scenario]") {
  const std::vector<Override> chain{{"/workload/0/checkpoint", kCheckpoints}};
  auto with = [&](const char* leg) {
    std::vector<Override> overrides = chain;
    overrides.push_back({"/strategies/0/legs/0", leg});
    return error_of(overrides);
  };
  CHECK_THAT(with(R"({"model": "on_demand", "run_max": "1ms", "chains": true})"),
             Contains("run_max: a chain of runs of 1ms: with \"chains\" it must be at least 1min"));
  CHECK(with(R"({"model": "on_demand", "run_max": "1min", "chains": true})").empty());
  CHECK(with(R"({"model": "on_demand", "run_max": "1ms"})").empty());
}

TEST_CASE("Tries that could go on for days are refused before the run, with what to change", "[scenario]") {
  const Override busy{
      "/workload/0",
      R"({"name": "jobs", "poisson": {"per_hour": 100000}, "machine": "generic", "work": "1h"})"};
  const Override eager{"/strategies/0/legs/0",
                       R"({"model": "on_demand", "retries": "unlimited", "retry_interval": "1s"})"};
  CHECK_THAT(error_of({busy, eager}), Contains("/strategies/0: its jobs may ask for machines up to ") &&
                                          Contains("\"retry_interval\"") && Contains("\"drain_limit\""));
  CHECK(error_of({busy, eager, {"/drain_limit", "1h"}, {"/window", "1h"}}).empty());
  CHECK(error_of({busy, eager, {"/workload/0/max_wait", "1h"}}).empty());
  CHECK_THAT(error_of({{"/reservations/0/retry_every", "1s"},
                       {"/reservations/0/count", "4"},
                       {"/window", "12000d"},
                       {"/prices_as_of", "2026-07-30"}}),
             !Contains("asked for"));
}

TEST_CASE("A run that comes to too many steps is ended, with its strategy and what to change", "[scenario]") {
  const auto error_after = [](std::uint64_t most, const char* leg) {
    const test::ScenarioLoader loader;
    Scenario scenario = loader.small({{"/workload/0/work", "40h"}, {"/strategies/0/legs/0", leg}});
    scenario.world.most_steps = most;
    return test::error_in(
        [&] { static_cast<void>(in_most_steps(scenario, [&] { return simulate(scenario.world, 0, 0); })); });
  };
  const char* preempted =
      R"({"model": "spot", "lifetime": "1h", "restarts": "unlimited", "retry_interval": "1h"})";
  CHECK_THAT(error_after(100, preempted), Contains("s.json: /strategies/0: \"first\" comes to 1e+02 steps") &&
                                              Contains("of a window of 2d") &&
                                              Contains("\"retry_interval\"") && Contains("\"restarts\""));
  CHECK(error_after(100'000, preempted).empty());
  const char* refused =
      R"({"model": "on_demand", "machine": "generic", "retries": "unlimited", "retry_interval": "1s"})";
  CHECK(error_after(100, refused).empty());
}

TEST_CASE("The bound on tries follows the rules of each leg", "[scenario]") {
  Policy policy = *find_policy("on_demand");
  CHECK(most_tries(one_leg(policy), 10h, kForever) == 4);
  policy.retries = kUnlimited;
  CHECK(most_tries(one_leg(policy), 10h, kForever) == 121);
  CHECK(most_tries(one_leg(policy), 10h, 1h) == 13);
  Strategy resubmitted = one_leg(*find_policy("on_demand"));
  resubmitted.resubmission = Resubmission{.after = 1h, .give_up_after = 2h};
  CHECK(most_tries(resubmitted, 10h, kForever) == 3 + 3 * 3);
  Policy flex = *find_policy("flex_start");
  CHECK(most_tries(one_leg(flex), 10h, kForever) == 1);
  flex.retries = 3;  // which quota may take
  CHECK(most_tries(one_leg(flex), 10h, kForever) == 4);
  flex.retries = 0;
  flex.chains = true;
  CHECK(most_tries(one_leg(flex), 14 * 24h, kForever) == 3);
  Policy spot = *find_policy("spot");
  spot.retries = 0;
  spot.lifetime = Law{.a = 1h};
  CHECK(most_tries(one_leg(spot), 100h, kForever) == 7);
  spot.restarts = kUnlimited;
  CHECK(most_tries(one_leg(spot), 100h, kForever) == 101);
}

TEST_CASE("The grid fits into the window", "[scenario]") {
  CHECK(error_of({{"/grid", "49h"}}) ==
        "command line: --set /grid: must be at most the window, 2d, but is 2d 1h");
  CHECK(error_of({{"/grid", "2d"}}).empty());
}

TEST_CASE("A price that is more than nothing stays so", "[scenario]") {
  CHECK_THAT(error_of({{"/prices/0/usd_per_hour", "0.0000000001"}}),
             Contains("must be 0, or at least 0.000000001"));
  CHECK_THAT(error_of({{"/prices/-", R"({"factor": 1e-9})"}}),
             Contains("/factor: must be 0, or at least 0.000001"));
  CHECK(error_of({{"/prices/0/usd_per_hour", "0"}}).empty());
  CHECK(error_of({{"/prices/0/usd_per_hour", "0.000000001"}}).empty());
}

TEST_CASE("Names are one line of text", "[scenario]") {
  for (const char* pointer :
       {"/name", "/strategies/0/name", "/pools/0/name", "/workload/0/name", "/workload/0/class"}) {
    CAPTURE(pointer);
    for (const char* name : {R"("a\nb")", R"("a\tb")", R"("\u001b[2J")", R"("\u0085")", R"("\u007f")"}) {
      CHECK_THAT(error_of({{pointer, name}}),
                 Contains("must be one line of text, but has a control character"));
    }
  }
  CHECK_THAT(error_of({{"/classes", R"({"a\nb": {}})"}}), Contains("must be one line of text"));
  CHECK(error_of({{"/strategies/0/name", R"("größer \u2192")"}}).empty());
}
