// compare --precision, --control-variates, and differences that may be chance, as a user sees them.

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tools/stockout/cli.h"

using namespace stockout;

namespace {

const std::string kByHand = std::string{STOCKOUT_SCENARIOS_DIR} + "/by-hand.json";
const std::string kQuickstart = std::string{STOCKOUT_SCENARIOS_DIR} + "/quickstart.json";

// What the command prints, with single blanks between words, however the lines are broken.
std::string report_of(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err, .err_is_terminal = false};
  REQUIRE(run_cli(arguments, console) == ExitCode::done);
  std::istringstream in{out.str()};
  std::string text;
  for (std::string word; in >> word;) text += word + ' ';
  return text;
}

}  // namespace

TEST_CASE("A precision is reported: whether it was reached, with how many replications, what was left out",
          "[cli]") {
  const std::vector<std::string> base{"compare", kQuickstart, "--precision-of", "cost_usd,wait_p95_h"};
  std::vector<std::string> reached = base;
  reached.insert(reached.end(), {"--precision", "90 %"});
  const std::string text = report_of(reached);
  CHECK_THAT(text, Catch::Contains("± 90 % of the mean asked for cost_usd, wait_p95_h"));
  CHECK_THAT(text, Catch::Contains("reached with 10 replications. Looked after 10."));
  CHECK_THAT(text, Catch::Contains("wait_p95_h of \"on-demand, one zone\""));
  std::vector<std::string> missed = base;
  missed.insert(missed.end(), {"--precision", "0.01%", "--most-replications", "12", "--format", "json"});
  const auto json = nlohmann::json::parse(report_of(missed));
  CHECK(json["replications"] == 12);
  CHECK(json["precision"]["met"] == false);
  CHECK(json["precision"]["looks"] == std::vector<int>{10, 12});
  const std::string nothing_drawn = report_of({"compare", kByHand, "--precision", "1%"});
  CHECK_THAT(nothing_drawn, Catch::Contains("none does, so each was run once"));
}

TEST_CASE("Control variates are reported, and not used with few replications", "[cli]") {
  const std::vector<std::string> base{"compare", kQuickstart, "--control-variates", "--replications"};
  std::vector<std::string> few = base;
  few.emplace_back("5");
  CHECK_THAT(report_of(few), Catch::Contains("Control variates: not used, since they need 10"));
  std::vector<std::string> enough = base;
  enough.emplace_back("10");
  CHECK_THAT(report_of(enough),
             Catch::Contains("Control variates: means, intervals and differences are adjusted"));
  const std::string nothing_drawn = report_of({"compare", kByHand, "--control-variates"});
  CHECK_THAT(nothing_drawn, Catch::Contains("Control variates: none"));
}

TEST_CASE("A difference in cost that may be chance is marked, and one that is not is not", "[cli]") {
  const auto with = [](const std::string& replications) {
    return nlohmann::json::parse(
        report_of({"compare", kQuickstart, "--replications", replications, "--format", "json"}));
  };
  const auto five = with("5");
  for (const auto& strategy : five["strategies"]) {
    const auto& more = strategy["cost_more"];
    CHECK(more["than"] == five["verdict"]["strategy"]);
    const bool has_zero = std::abs(more["mean"].get<double>()) <= more["half_width_95"].get<double>();
    CHECK(more["may_be_chance"] == (has_zero && more["mean"] != 0));
  }
  const auto one = with("1");  // no interval
  CHECK(one["strategies"][0]["cost_more"]["may_be_chance"] == true);
  CHECK_FALSE(one["strategies"][0]["cost_more"].contains("half_width_95"));
  CHECK_THAT(report_of({"compare", kQuickstart, "--full", "--replications", "1"}), Catch::Contains(" ~"));
}

TEST_CASE("Validate runs no pilot: it tells the longest warm-up that a rule may find", "[cli]") {
  CHECK_THAT(report_of({"validate", kQuickstart, "--set", R"(/warm_up={"rule": "mser5", "most": "20d"})"}),
             Catch::Contains("warm-up of at most 20d, found when it is run,"));
}

TEST_CASE("A warm-up that a rule found is reported, with the rule", "[cli]") {
  const std::vector<std::string> base{
      "compare", kQuickstart, "--full", "--replications", "1", "--set", R"(/warm_up={"rule": "mser5"})"};
  CHECK_THAT(report_of(base), Catch::Contains("(found by MSER-5 in a pilot of the tenants alone, 5 runs)"));
  std::vector<std::string> as_json = base;
  as_json.insert(as_json.end(), {"--format", "json"});
  const auto scenario = nlohmann::json::parse(report_of(as_json))["scenario"];
  CHECK(scenario["warm_up_h"].get<double>() >= 24);
  CHECK(scenario.contains("warm_up_rule"));
}
