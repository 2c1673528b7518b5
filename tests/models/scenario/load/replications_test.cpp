// How often a scenario is run: precision, warm-up and control variates as a scenario says them.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;

namespace {

Scenario with(const std::vector<Override>& changes) { return test::ScenarioLoader{}.small(changes); }

std::string error_of(const std::string& pointer, const std::string& value) {
  return test::error_in([&] { static_cast<void>(with({{pointer, value}})); });
}

}  // namespace

TEST_CASE("A scenario asks for a precision of some measures", "[scenario]") {
  CHECK_FALSE(with({}).precision.has_value());
  const Scenario plain = with({{"/precision", R"({"half_width": 2})"}});
  REQUIRE(plain.precision);
  CHECK(plain.precision->half_width == 0.02);
  CHECK(plain.precision->of == std::vector{Measure::cost});
  CHECK(plain.precision->most == 1'000);
  const Scenario full =
      with({{"/precision", R"({"half_width": 0.5, "of": ["wait_p95_h", "goal_met_share"], "most": 40})"}});
  CHECK(full.precision->half_width == 0.005);
  CHECK(full.precision->of == std::vector{Measure::wait_p95, Measure::goal_met_share});
  CHECK(full.precision->most == 40);
}

TEST_CASE("Control variates are off unless asked for", "[scenario]") {
  CHECK_FALSE(with({}).control_variates);
  CHECK(with({{"/control_variates", "true"}}).control_variates);
}

TEST_CASE("A precision that cannot be asked for is refused", "[scenario]") {
  CHECK_THAT(error_of("/precision", R"({"half_width": 0})"), Catch::Contains("half_width"));
  CHECK_THAT(error_of("/precision", R"({"half_width": 101})"), Catch::Contains("half_width"));
  CHECK_THAT(error_of("/precision", R"({"half_width": "2%"})"), Catch::Contains("must be a number"));
  CHECK_THAT(error_of("/precision", R"({"half_width": 2, "most": 9})"), Catch::Contains("at least 10"));
  CHECK_THAT(error_of("/precision", R"({"half_width": 2, "of": []})"), Catch::Contains("/precision/of"));
  CHECK_THAT(error_of("/precision", R"({"half_width": 2, "of": ["cost"]})"),
             Catch::Contains("there is no measure \"cost\""));
  CHECK_THAT(test::error_in([] {
               static_cast<void>(with({{"/precision", R"({"half_width": 2})"}, {"/replications", "3"}}));
             }),
             Catch::Contains("\"replications\" and \"precision\" cannot go together"));
}
