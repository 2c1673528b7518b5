// `stockout recommend` as a user types it.

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/made_up/purchase_question.h"
#include "tests/support/scenarios/small_scenario.h"
#include "tools/report/recommend/menu.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

// Twelve jobs of an hour at noon; each needs one of the generic machines. All of them are in time only with
// three or more machines, each $10 an hour for two days and the hour after.
std::string how_many() {
  std::string text = kSmallScenario;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace(R"("schedule": {"at": "12:00"})", R"("schedule": {"at": "12:00", "count": 6})");
  replace(R"({"name": "first", "legs": [{"model": "on_demand"}]})",
          R"({"name": "reserved", "legs": [{"model": "reservation", "reservation": "held"}]})");
  replace(R"("start": "2026-08-03",)",
          R"("start": "2026-08-03", "question": "How many?", "goal": {"wait_p": 99, "at_most": "70min"},
 "decide": [{"name": "machines", "at": "/reservations/0/count", "from": 0, "to": 8}],)");
  return text;
}

nlohmann::json json_of(const std::vector<std::string>& arguments) {
  return nlohmann::json::parse(stockout_says(arguments).out);
}

}  // namespace

TEST_CASE("The recommendation names the quantity, the cost and what was asked", "[recommend]") {
  const ScratchFolder folder;
  const std::string file = folder.file("s.json", how_many());
  const Answer answer = stockout_says({"recommend", file, "--format", "markdown"});
  CAPTURE(answer.out, answer.err);
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Contains("small: How many?"));
  CHECK_THAT(answer.out, Contains("**Buy \"reserved; machines: 3\" (reservation held): $1,440 for 2d."));
  CHECK_THAT(answer.out, Contains("100.0 % (99 % of jobs start within 1h 10min and complete)"));
  CHECK_THAT(answer.out, Contains("It begins no commitment."));
  CHECK_THAT(answer.out, Contains("Because") && Contains("\"reserved; machines: 2\" costs") &&
                             Contains("$480 less (held -$480") && Contains("and misses a goal: 66.7 %"));
  CHECK_THAT(answer.out, Contains("gcloud compute reservations create held --machine-type=generic "
                                  "--vm-count=3 --zone=generic --require-specific-reservation"));
  CHECK_THAT(answer.out, Contains("Other choices of machines, all else as recommended"));
  CHECK_THAT(stockout_says({"recommend", file}).out, Contains("Ways to buy"));
}

TEST_CASE("The page of a recommendation has its sentence, every way to buy and other choices",
          "[recommend]") {
  const ScratchFolder folder;
  const std::string file = folder.file("s.json", how_many());
  const std::string page = folder.path("page.html");
  const Answer answer = stockout_says({"recommend", file, "--report", page});
  CAPTURE(answer.err);
  CHECK(answer.code == ExitCode::done);
  std::ostringstream html;
  html << std::ifstream{page}.rdbuf();
  CHECK_THAT(html.str(), Contains("Buy &quot;reserved; machines: 3&quot;"));
  CHECK_THAT(html.str(), Contains("Every way to buy") &&
                             Contains("Cost by machines, all else as recommended") && Contains("Because:") &&
                             Contains("--report"));
  // Three machines are the cheapest of those that meet the goal: with fewer it is cheaper and worse, with
  // more dearer.
  for (int machines = 1; machines <= 8; ++machines) {
    const std::string way = fmt::format("\"way\":\"reserved; machines: {}\"", machines);
    const std::string text = html.str();
    const std::size_t at = text.find(way);
    REQUIRE(at != std::string::npos);
    const std::string row = text.substr(text.rfind('{', at), text.find('}', at) - text.rfind('{', at));
    CHECK_THAT(row, Contains(fmt::format("\"front\":{}", machines <= 3)));
    CHECK_THAT(row, Contains(fmt::format("\"recommended\":{}", machines == 3)));
  }
  CHECK_THAT(stockout_says({"recommend", file, "--report", file}).err, Contains("--report"));
}

TEST_CASE("The recommendation for programs has every way to buy", "[recommend]") {
  const ScratchFolder folder;
  const std::string file = folder.file("s.json", how_many());
  const auto json = json_of({"recommend", file, "--format", "json"});
  CHECK(json["kind"] == "recommended");
  CHECK(json["best"]["strategy"] == "reserved");
  CHECK(json["best"]["choices"]["machines"] == "3");
  CHECK(json["purchases"].size() == 9);
  CHECK(json["purchases"][0]["standing"] == "recommended");
  CHECK(json["purchases"][0]["on_front"] == true);
  CHECK(json["curves"][0]["choices"].size() == 9);
  for (const auto& one : json["purchases"]) {
    if (one["more_usd"].is_null()) continue;
    double parts = 0;
    for (const auto& part : one["more_parts"]) parts += part.get<double>();
    CHECK(parts == Approx(one["more_usd"]["mean"].get<double>()).margin(1e-6));
    CHECK(one["cost_usd"]["mean"].get<double>() - json["purchases"][0]["cost_usd"]["mean"].get<double>() ==
          Approx(parts).margin(1e-6));
  }
  const std::string csv = stockout_says({"recommend", file, "--format", "csv"}).out;
  CHECK_THAT(csv, Catch::StartsWith("strategy,machines,standing,cost_usd,"));
  CHECK(std::ranges::count(csv, '\n') == 10);
}

TEST_CASE("The scenario of the winner is one, with the choice made", "[recommend]") {
  const ScratchFolder folder;
  const std::string file = folder.file("s.json", how_many());
  const std::string winner = folder.path("winner.json");
  CHECK(stockout_says({"recommend", file, "--write-scenario", winner}).code == ExitCode::done);
  std::ifstream in{winner};
  const auto json = nlohmann::json::parse(in);
  CHECK(json["reservations"][0]["count"] == 3);
  CHECK_FALSE(json.contains("decide"));
  const auto compared = json_of({"compare", winner, "--format", "json"});
  const auto found = json_of({"recommend", file, "--format", "json"});
  CHECK(compared["strategies"][0]["total"]["cost_usd"]["mean"] == found["purchases"][0]["cost_usd"]["mean"]);
  CHECK_THAT(stockout_says({"recommend", file, "--write-scenario", file}).err, Contains("--write-scenario"));
}

TEST_CASE("Nothing that meets the goals, and nothing decided, end with exit code 1", "[recommend]") {
  const ScratchFolder folder;
  const std::string file = folder.file("s.json", how_many());
  const std::string winner = folder.path("winner.json");
  const Answer none =
      stockout_says({"recommend", file, "--set", "/goals=[{\"budget_usd\": 1}]", "--write-scenario", winner});
  CHECK(none.code == ExitCode::not_as_asked);
  CHECK_FALSE(std::ifstream{winner}.good());
  CHECK_THAT(none.out, Contains("None of 9 ways to buy meets all goals. Nearest:"));
  const Answer undecided = stockout_says(
      {"recommend", file, "--indifference", "0.0001", "--most-replications", "10", "--set",
       "/workload/0/work={\"exponential\": \"1h\"}", "--set", "/goal={\"wait_p\": 60, \"at_most\": \"1h\"}"});
  CAPTURE(undecided.out);
  CHECK(undecided.code == ExitCode::not_as_asked);
  CHECK_THAT(undecided.out, Contains("Undecided after 10 runs of each"));
}

TEST_CASE("A class that misses by itself what all together meet is named", "[recommend]") {
  // The night's job comes last: with three machines it waits two hours, each day.
  const ScratchFolder folder;
  const std::string file = folder.file("s.json", how_many());
  const Answer answer = stockout_says(
      {"recommend", file, "--set", "/goal={\"wait_p\": 80, \"at_most\": \"70min\"}", "--set",
       "/workload/-={\"name\": \"night\", \"schedule\": {\"at\": \"12:00\"}, \"machine\": \"generic\", "
       "\"work\": \"1h\"}"});
  CAPTURE(answer.out, answer.err);
  CHECK_THAT(answer.out, Contains("machines: 3\" (reservation held)"));
  CHECK_THAT(answer.out, Contains("By itself a class misses it: night (0.0"));
}

TEST_CASE("A short menu has some of each kind", "[recommend]") {
  const Question question{how_many()};
  const Recommendation found = question.answer();
  const RecommendationReport report{
      .written = question.written(), .purchases = question.purchases(), .found = found, .version = "0"};
  const Relation menu = menu_table(report, 3);
  const auto standing = std::ranges::find(menu.columns, "standing", &Column::key) - menu.columns.begin();
  std::vector<std::string> kinds;
  for (const Row& row : menu.rows)
    kinds.push_back(std::get<std::string>(row.cells[static_cast<std::size_t>(standing)].value));
  CHECK(kinds == std::vector<std::string>{"recommended", "dearer", "misses goal 1"});
  CHECK(menu.title == "Ways to buy, 3 of 9");
}

TEST_CASE("Warnings of strategies that are not recommended are not shown", "[recommend]") {
  // The second strategy says where its jobs never fit; the first is recommended.
  const ScratchFolder folder;
  std::string text = how_many();
  const std::string end = R"("reservation": "held"}]})";
  text.replace(text.find(end), end.size(),
               end + R"(, {"name": "few", "legs": [{"model": "reservation", "reservation": "small"}]})");
  const std::string held = R"("count": 2})";
  text.replace(text.find(held), held.size(),
               held + R"(, {"name": "small", "machine": "generic", "place": "generic", "count": 0})");
  const std::string file = folder.file("s.json", text);
  const auto compared = json_of({"compare", file, "--format", "json"});
  CAPTURE(compared["warnings"].dump());
  REQUIRE_THAT(compared["warnings"].dump(), Contains("/strategies/1"));
  const auto found = json_of({"recommend", file, "--format", "json"});
  CHECK_THAT(found["warnings"].dump(), !Contains("/strategies/1"));
}

TEST_CASE("A scenario without decisions is a choice among its strategies", "[recommend]") {
  const ScratchFolder folder;
  const Answer answer = stockout_says({"recommend", folder.file("s.json", kSmallScenario)});
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Contains("Buy \"first\" (on_demand): "));
}

TEST_CASE("Options of a recommendation that make no sense are refused", "[recommend]") {
  const ScratchFolder folder;
  const std::string file = folder.file("s.json", how_many());
  const auto [option, value, message] = GENERATE(table<std::string, std::string, std::string>({
      {"--indifference", "0", "--indifference: must be above 0 US dollars"},
      {"--indifference", "nan", "--indifference"},
      {"--confidence", "100", "--confidence: must be 50 to 99.9999, per cent"},
      {"--most-obligation", "2y", "--most-obligation: there is no obligation \"2y\""},
      {"--most-replications", "5", "--most-replications"},
  }));
  const Answer answer = stockout_says({"recommend", file, option, value});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains(message));
}
