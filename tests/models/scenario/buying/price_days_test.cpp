// Prices with dates, where clocks are changed within the window.

#include <algorithm>

#include <catch2/catch.hpp>

#include "models/scenario/scenario.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

// When the price that holds on demand from a day on begins, in Berlin.
SimTime begin_of(const std::string& start, const std::string& day,
                 const std::string& zone = "Europe/Berlin") {
  const Scenario scenario = test::ScenarioLoader{}.small(
      {{"/start", '"' + start + '"'},
       {"/time_zone", '"' + zone + '"'},
       {"/window", "\"4d\""},
       {"/prices/-",
        R"({"machine": "generic", "model": "on_demand", "usd_per_hour": 3, "from": ")" + day + "\"}"}});
  for (const PriceLine& line : scenario.world.price_lines)
    if (line.model == PriceModel::on_demand && line.steps.size() == 2) return line.steps.back().from;
  return kNever;
}

}  // namespace

TEST_CASE("A price begins at 00:00 local time, also after clocks were changed", "[scenario][prices]") {
  CHECK(begin_of("2026-03-28", "2026-03-29") == kStart + 24h);
  CHECK(begin_of("2026-03-28", "2026-03-30") == kStart + 47h);
  CHECK(begin_of("2026-10-24", "2026-10-25") == kStart + 24h);
  CHECK(begin_of("2026-10-24", "2026-10-26") == kStart + 49h);
  // Clocks set by half an hour: use is kept by whole hours, so the next one.
  CHECK(begin_of("2026-04-04", "2026-04-06", "Australia/Lord_Howe") == kStart + 49h);
  CHECK(begin_of("2026-10-03", "2026-10-05", "Australia/Lord_Howe") == kStart + 48h);
}
