// The price that decides, as reports name it.

#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"
#include "tools/stockout/terminal/old_prices.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

// One job of an hour a day for two days, at once on its machine. "cheap" pays $6 an hour, "dear" $10 and $4
// once.
constexpr const char* kScenario = R"({
 "name": "two prices", "start": "2026-08-03", "window": "2d", "prices_as_of": "2026-07-30",
 "prices": [{"machine": "generic", "model": "on_demand", "usd_per_hour": 10, "label": "offer"},
            {"machine": "generic", "model": "spot", "usd_per_hour": 6, "label": "our Spot", "as_of": "2026-01-01"}],
 "workload": [{"name": "jobs", "schedule": {"at": "12:00"}, "machine": "generic", "work": "1h"}],
 "pools": [{"name": "zone", "family": "generic", "place": "generic", "gpus": 8}],
 "models": {"all": {"start_up": "0s"}},
 "other_costs": [{"name": "set-up", "usd_once": 4, "strategies": ["dear"]}],
 "strategies": [{"name": "cheap", "legs": [{"model": "spot"}]}, {"name": "dear", "legs": [{"model": "on_demand"}]}]
})";

class TwoPrices {
 public:
  [[nodiscard]] Answer says(std::vector<std::string> more = {},
                            const std::string& command = "compare") const {
    std::vector<std::string> arguments{command, file_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return stockout_says(arguments);
  }
  [[nodiscard]] nlohmann::json json(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--format", "json"});
    return nlohmann::json::parse(says(more).out);
  }

 private:
  ScratchFolder folder_;
  std::string file_ = folder_.file("s.json", kScenario);
};

}  // namespace

// "cheap" costs 2 x 6 = 12, "dear" 2 x 10 + 4 = 24. They cost the same with Spot at twice its price, or with
// on-demand at 0.4 of it. Twice is the lesser change: ln 2 = 0.69 against -ln 0.4 = 0.92.
TEST_CASE("The price that decides is the one whose least change makes another strategy cost the same",
          "[report][prices]") {
  const TwoPrices scenario;
  const auto price = scenario.json()["deciding_price"];
  CHECK(price["model"] == "spot");
  CHECK(price["usd_per_hour"] == 6.0);
  CHECK(price["other"] == "dear");
  CHECK(price["at_usd_per_hour"].get<double>() == Approx(12));
  CHECK(price["as_of"] == "2026-01-01");
  CHECK(price["age_days"] == 214);  // on the first day of the window
  CHECK(price["confidence"] == "own");
  CHECK(price["source"] == "\"our Spot\"");
  CHECK(scenario.json({"--set", "/other_costs/0/usd_once=-5"})["deciding_price"]["model"] == "on_demand");
}

// Of "dear" a commitment covers one machine: a day has two jobs at once, of which it pays for one. So "dear"
// pays 2 x 10 less 10, and "cheap" 4 x 4. They cost the same with on-demand at p, where 2 p - 10 = 16.
TEST_CASE("What a commitment covers is not paid at the price that decides", "[report][prices]") {
  const TwoPrices scenario;
  const std::vector<std::string> covered{
      "--set",
      "/workload/0/schedule/count=2",
      "--set",
      "/prices/1/usd_per_hour=4",
      "--set",
      "/other_costs/0/usd_once=-10",
      "--set",
      R"(/commitments=[{"name": "old", "machine": "generic", "region": "generic", "count": 1, "usd_per_hour": 1,
         "start": "2026-01-01", "end": "2027-01-01"}])"};
  const auto decided = scenario.json(covered);
  const auto price = decided["deciding_price"];
  CHECK(price["model"] == "on_demand");
  const double at = price["at_usd_per_hour"].get<double>();
  CHECK(at == Approx(13));
  std::vector<std::string> there = covered;
  there.insert(there.end(), {"--set", fmt::format("/prices/0/usd_per_hour={}", at)});
  const auto same = scenario.json(there)["strategies"];
  CHECK(same[0]["total"]["cost_usd"]["mean"].get<double>() ==
        Approx(same[1]["total"]["cost_usd"]["mean"].get<double>()));
}

TEST_CASE("A price that decides and is older than 180 days is warned of, at whatever time it is run",
          "[report][prices]") {
  const TwoPrices scenario;
  const std::string text = scenario.says().out;
  CHECK_THAT(
      text,
      Contains(
          "The price that decides: Spot of generic in generic, $6.00 an hour; at $12.00 \"dear\" costs"));
  CHECK_THAT(text, Contains("Warnings\n  The price that decides") &&
                       Contains("is of 2026-01-01: 214 days old on 2026-08-03"));
  CHECK(scenario.says({"--format", "markdown"}).out.find("The price that decides: Spot") !=
        std::string::npos);
  CHECK_THAT(scenario.json()["warnings"].dump(), Contains("214 days old"));
  const auto young = scenario.json({"--set", "/prices/1/as_of=2026-02-04"});
  CHECK(young["deciding_price"]["age_days"] == 180);
  CHECK_THAT(young["warnings"].dump(), !Contains("days old"));
}

// A list is never old on its own day: a window far ahead is paid at prices that may have changed by then.
TEST_CASE("A window of the future is warned of prices that are old when it begins", "[report][prices]") {
  const TwoPrices scenario;
  const auto price = [&](const std::string& start, const std::string& as_of) {
    return scenario.json({"--set", "/start=" + start, "--set", "/prices/1/as_of=" + as_of});
  };
  const auto future = price("2027-06-01", "2026-07-30");
  CHECK(future["deciding_price"]["age_days"] == 306);
  CHECK_THAT(future["warnings"].dump(), Contains("is of 2026-07-30: 306 days old on 2027-06-01"));
  const auto words = [&](const std::vector<std::string>& arguments) {
    return std::regex_replace(scenario.says(arguments).out, std::regex{"\\s+"}, " ");
  };
  CHECK_THAT(words({"--set", "/prices/1/as_of=2026-08-04"}), Contains("1 day ahead on 2026-08-03"));
  const auto past = price("2025-01-06", "2026-07-29");  // of a window that is over the list's day counts
  CHECK(past["deciding_price"]["age_days"] == 1);
  CHECK_THAT(words({"--set", "/start=2025-01-06", "--set", "/prices/1/as_of=2026-07-29"}),
             Contains("1 day old on 2026-07-30"));
}

// "cheap" pays 12, and "dear" 20 less a credit of 12: two thirds of it.
TEST_CASE("A bar is as long as the cost, though a credit lowers it", "[report][prices]") {
  const std::string text = TwoPrices{}.says({"--set", "/other_costs/0/usd_once=-12"}).out;
  CHECK_THAT(text, Contains("\ncheap     ██████████████████████████████\n") &&
                       Contains("\ndear      ████████████████████\n"));
  CHECK_THAT(text, Contains("Credits and cover by existing commitments are taken off each part alike."));
  CHECK_THAT(TwoPrices{}.says().out, !Contains("taken off each part"));
}

TEST_CASE("Where no change of one price makes another strategy win, most is spent on the one that is named",
          "[report][prices]") {
  const TwoPrices scenario;
  const std::string cheap = R"([{"name": "cheap", "legs": [{"model": "spot"}]}])";
  const auto only = scenario.json({"--set", "/other_costs=[]", "--set", "/strategies=" + cheap});
  CHECK(only["deciding_price"]["model"] == "spot");
  CHECK(only["deciding_price"]["other"].is_null());
  const Answer run = scenario.says({"--strategy", "cheap", "--format", "json"}, "run");
  CHECK(nlohmann::json::parse(run.out)["deciding_price"].is_null());
}

TEST_CASE("The age of the price list against the clock is said on a terminal, and nowhere else",
          "[report][prices]") {
  const ScratchFolder folder;
  const std::string file = folder.file("s.json", kScenario);
  const auto said = [&](const std::string& start, const std::optional<Date>& today, bool on_terminal) {
    std::ostringstream out;
    std::ostringstream err;
    Console console{.out = out, .err = err, .err_is_terminal = on_terminal, .today = today};
    static_cast<void>(run_cli({"compare", file, "--set", "/start=" + start, "--color", "never"}, console));
    return std::pair{out.str(), err.str()};
  };
  const auto late = parse_date("2027-02-15");  // 200 days after the list
  const auto old = said("2027-03-01", late, true);
  CHECK_THAT(old.second, Contains("the price list is of 2026-07-30: 200 days before today"));
  CHECK(old.first == said("2027-03-01", std::nullopt, true).first);
  CHECK(said("2027-03-01", late, false).second.empty());
  CHECK_THAT(said("2027-03-01", parse_date("2026-12-01"), true).second, !Contains("price list"));
  CHECK_THAT(said("2026-08-03", late, true).second, !Contains("price list"));  // a window of its own time
}

TEST_CASE("The clock is SOURCE_DATE_EPOCH where that is set", "[report][prices]") {
  CHECK(today([](const char*) { return "1785369600"; }) == parse_date("2026-07-30"));
  CHECK(today([](const char*) { return "soon"; }) == std::nullopt);
  CHECK(today([](const char*) { return "-1"; }) == std::nullopt);
  CHECK(today([](const char*) -> const char* { return nullptr; }).has_value());
}
