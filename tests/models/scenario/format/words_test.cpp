// Words that people bring from other tools, lengths of the calendar, values that may be left out.

#include <string>

#include <catch2/catch.hpp>

#include "models/catalog/catalog.h"
#include "models/scenario/format/clock_text.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;

namespace {

std::string error_of(const std::string& pointer, const std::string& value) {
  const test::ScenarioLoader loader;
  return test::error_in([&] { static_cast<void>(loader.small({{pointer, value}})); });
}

}  // namespace

TEST_CASE("A word of other tools is answered with the one to write", "[scenario]") {
  CHECK_THAT(error_of("/reservations/0/machines", "4"),
             Catch::Contains("there is no key \"machines\": write \"count\", a number of machines"));
  CHECK_THAT(error_of("/commitments", R"([{"name": "c", "hosts": 8}])"), Catch::Contains("write \"count\""));
  CHECK_THAT(error_of("/pools/0/count", "4"), Catch::Contains("write \"hosts\", \"gpus\", or"));
  CHECK_THAT(
      error_of("/strategies/0/legs/0/model", "\"CUD-1y\""),
      Catch::Contains("there is no consumption model \"CUD-1y\": a commitment is the \"commitment\" of a"));
  CHECK_THAT(error_of("/strategies/0/legs/0/model", "\"dws\""), Catch::Contains("\"flex_start\", a queue"));
  CHECK_THAT(error_of("/strategies/0/legs/0/model", "\"on-demand\""),
             Catch::Contains("did you mean \"on_demand\"?"));
  CHECK_THAT(error_of("/end", "\"2026-12-31\""), Catch::Contains("give the length of the window"));
  CHECK_THAT(error_of("/workload/0/checkpoint", "\"1h\""), Catch::Contains(R"(: write {"every": "1h"})"));
  CHECK_THAT(error_of("/goal", R"({"wait_p": 0.95, "at_most": "1h"})"), Catch::Contains("write 95 for 95 %"));
  for (const char* model : {"spot_vm", "Spot VMs", "calendar_mode", "DWS Flex Start", "DWS Calendar Mode"}) {
    const std::string text = '"' + std::string{model} + '"';
    CHECK_THAT(error_of("/strategies/0/legs/0/model", text), Catch::Contains(text + ": write \""));
  }
  CHECK_THAT(error_of("/workload/0/machine", "\"h100\""),
             Catch::Contains("\"h100\" is a GPU, which a3-highgpu-1g"));
}

TEST_CASE("A time of day that is not written as one is answered with how to write it", "[scenario]") {
  for (const char* clock : {"\"07:00\"", "\"at 07:00\"", "\"7:00\""})
    CHECK_THAT(error_of("/workload/0/deadline", clock), Catch::Contains(R"(: write {"at": "07:00"})"));
  CHECK_THAT(error_of("/workload/0/deadline", R"({"at": "7:00"})"), Catch::Contains(R"(: write "07:00")"));
  CHECK_THAT(error_of("/workload/0/deadline", "\"soon\""), !Catch::Contains("write"));
  CHECK(meant_clock("24:30").empty());
  CHECK(meant_clock_span("9:00 - 18:00") == "09:00-18:00");
  CHECK(meant_clock_span("18:00").empty());
}

TEST_CASE("A share that looks like per cent is answered with the share", "[scenario]") {
  CHECK_THAT(error_of("/pools/0/tenants", R"({"load": 110})"),
             Catch::Contains("at most 100, but is 110: write 1.1"));
  CHECK_THAT(error_of("/reservations/0/acceptance", "80"), Catch::Contains("write 0.8 for 80 %"));
  CHECK_THAT(error_of("/reservations/0/acceptance", "800"), !Catch::Contains("write"));
}

TEST_CASE("A window is a duration, or months of the calendar", "[scenario]") {
  const test::ScenarioLoader loader;
  const auto end_with = [&](const std::string& start, const std::string& window) {
    const Scenario read = loader.small({{"/start", "\"" + start + "\""}, {"/window", "\"" + window + "\""}});
    return (read.world.window_end - kStart) / std::chrono::days{1};
  };
  CHECK(end_with("2026-08-03", "14d") == 14);
  CHECK(end_with("2026-08-03", "2 weeks") == 14);
  CHECK(end_with("2026-08-03", "1 month") == 31);
  CHECK(end_with("2027-01-01", "1 quarter") == 31 + 28 + 31);
  CHECK(end_with("2028-01-31", "1month") == 29);    // to the last of February
  CHECK(end_with("2026-08-03", "2 years") == 731);  // one of which has 29 February
  CHECK_THAT(error_of("/window", "\"3 moons\""), Catch::Contains("a length such as \"30d\", \"3 months\""));
  CHECK_THAT(error_of("/window", "\"0 months\""), Catch::Contains("a length such as"));
  CHECK_THAT(error_of("/window", "\"401 months\""), Catch::Contains("at most 400 months"));
  // Berlin sets its clocks back on 25 October: the window has an hour more.
  const Scenario local = loader.small(
      {{"/start", "\"2026-10-01\""}, {"/window", "\"1 month\""}, {"/time_zone", "\"Europe/Berlin\""}});
  CHECK(local.world.window_end - kStart == std::chrono::days{31} + std::chrono::hours{1});
}

TEST_CASE("Prices are of the catalogue's latest day unless a day is said, and that is an assumption",
          "[scenario]") {
  const test::ScenarioLoader loader;
  const std::string day = " \"prices_as_of\": \"2026-07-30\",\n";
  std::string without_day = test::kSmallScenario;
  without_day.erase(without_day.find(day), day.size());
  const Scenario latest = loader.load(without_day);
  CHECK(latest.prices_as_of == to_text(Catalog::embedded().latest()));
  CHECK(latest.assumptions.back() ==
        "prices are those of " + latest.prices_as_of + ", the latest day of the catalogue");
}
