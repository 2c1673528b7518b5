// `compare --record` and `price` as a user types them.

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/runs/recorded.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;

namespace {

nlohmann::json json_said(const std::vector<std::string>& arguments) {
  const Answer said = stockout_says(arguments);
  REQUIRE(said.err.empty());
  return nlohmann::json::parse(said.out);
}

const std::string kShippedQuickstart = std::string{STOCKOUT_SCENARIOS_DIR} + "/quickstart.json";

}  // namespace

TEST_CASE("The quickstart is recorded once and reported at the prices of both days", "[price]") {
  const ScratchFolder folder;
  const std::string record = folder.path("runs.sqlite");
  const std::vector<std::string> at_list{"--set", "/reservations/0/commitment=none"};
  const Answer compared =
      stockout_says({"compare", kShippedQuickstart, at_list[0], at_list[1], "--record", record});
  REQUIRE(compared.code == ExitCode::done);
  CHECK(compared.out == stockout_says({"compare", kShippedQuickstart, at_list[0], at_list[1]}).out);

  const auto priced = json_said({"price", record, "--date", "2025-03-15", "--format", "json"});
  const auto simulated = json_said({"compare", kShippedQuickstart, at_list[0], at_list[1], "--set",
                                    "/prices_as_of=2025-03-15", "--format", "json"});
  CHECK(priced["verdict"] == simulated["verdict"]);
  CHECK(priced["recorded_verdict"]["kind"].is_string());
  for (std::size_t i = 0; i < simulated["strategies"].size(); ++i) {
    const auto& strategy = priced["strategies"][i];
    CHECK(strategy["left_out"].is_null());
    for (const auto& [measure, value] : strategy["costs"].items())
      CHECK(value == simulated["strategies"][i]["total"][measure]);
  }
  const Answer table = stockout_says({"price", record, "--date", "2025-03-15"});
  CHECK_THAT(table.out, Catch::Contains("At prices of 2025-03-15: ") && Catch::Contains("of 2026-07-30: ") &&
                            Catch::Contains("50.6095  2026-07-30  20.4230  2025-03-13     2"));
  CHECK_THAT(stockout_says({"price", record, "--format", "markdown"}).out, Catch::Contains("| spot"));
  const std::string csv = stockout_says({"price", record, "--format", "csv"}).out;
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 9);
}

TEST_CASE("Plain means of a run that was adjusted by control variates are reported as such", "[price]") {
  const ScratchFolder folder;
  const auto priced = [&](const std::vector<std::string>& more) {
    const std::string record = folder.path(more.empty() ? "plain.sqlite" : "adjusted.sqlite");
    std::vector<std::string> compare{"compare", kShippedQuickstart, "--replications",
                                     "10",      "--record",         record};
    compare.insert(compare.end(), more.begin(), more.end());
    REQUIRE(stockout_says(compare).code == ExitCode::done);
    const bool adjusted = json_said({"price", record, "--format", "json"})["record"]["means_adjusted"];
    CHECK(adjusted == !more.empty());
    return stockout_says({"price", record}).out;
  };
  const std::string said = "All costs are plain means of the replications.";
  CHECK_THAT(priced({"--control-variates"}), Catch::Contains(said));
  CHECK_THAT(priced({}), !Catch::Contains(said));
}

TEST_CASE("Break-even prices stand behind a comparison, and come from its record in any format", "[price]") {
  const ScratchFolder folder;
  const std::string record = folder.path("runs.sqlite");
  const Answer compared = stockout_says({"compare", kShippedQuickstart, "--break-even", "--record", record});
  CHECK_THAT(compared.out,
             Catch::Contains("Which strategy is the cheapest, by the price of a machine-hour") &&
                 Catch::Contains("Flex Start         a3-highgpu-8g, us-central1 *  38.32  flex, one zone"));
  const Answer csv = stockout_says({"price", record, "--break-even", "--format", "csv"});
  CHECK_THAT(csv.out, Catch::StartsWith("model,machine,region,usd_per_hour,moves_others,strategy,from_usd"));
  const auto json = json_said({"price", record, "--break-even", "--format", "json"});
  CHECK(json["break_even"]["models"][0]["ranges"][0]["strategy"] == "flex, one zone");
  const Answer same = stockout_says({"price", record, "--break-even"});
  CHECK_THAT(same.out,
             Catch::Contains("any price") && Catch::Contains("These are the prices that were recorded."));
  CHECK_THAT(stockout_says({"price", record, "--date", "2025-03-15"}).out,
             Catch::Contains("3 of 8 strategies are left") && Catch::Contains("no cud_1y price"));
  CHECK_THAT(stockout_says({"price", record, "--break-even", "--format", "markdown"}).out,
             Catch::Contains("| any price"));
  const Answer as_csv = stockout_says({"compare", kShippedQuickstart, "--break-even", "--format", "csv"});
  CHECK(as_csv.code == ExitCode::bad_input);
  CHECK_THAT(as_csv.err, Catch::Contains("requires --format table or markdown"));
}

TEST_CASE("One strategy's run can be recorded too", "[price]") {
  const ScratchFolder folder;
  const std::string scenario = folder.file("billed.json", kBilledScenario);
  const std::string record = folder.path("run.sqlite");
  REQUIRE(stockout_says({"run", scenario, "--strategy", "shared", "--replication", "3", "--record", record})
              .code == ExitCode::done);
  const auto priced = json_said({"price", record, "--format", "json"});
  CHECK(priced["strategies"].size() == 1);
  CHECK(priced["strategies"][0]["change_usd"]["mean"] == 0);
  CHECK_THAT(stockout_says({"price", record, "--break-even"}).out,
             Catch::Contains("No other strategy may win"));
}

TEST_CASE("What cannot be priced ends with exit code 2 and the reason", "[price]") {
  const ScratchFolder folder;
  const std::string scenario = folder.file("billed.json", kBilledScenario);
  const std::string record = folder.path("runs.sqlite");
  REQUIRE(stockout_says({"compare", scenario, "--record", record}).code == ExitCode::done);
  const std::string by_hour = folder.file("hour.json", R"({"billing": {"step": "1h"}})");
  const std::vector<std::pair<std::vector<std::string>, std::string>> answers{
      {{"price", record, "--date", "1999-01-01"}, "no strategy of it can be priced so: commitment \"one\""},
      {{"price", record, "--date", "tomorrow"},
       "--date: must be a day from 1990-01-01 to 2199-12-31, such as 2026-07-30"},
      {{"price", record, "--prices", by_hour}, "another billing rule needs"},
      {{"price", record, "--prices", folder.path("none.json")}, "there is no such file"},
      {{"price", scenario}, "is no record of a comparison"},
      {{"price", folder.path("run.sqlite")}, "did you mean \"runs.sqlite\""},
      {{"price"}, "RECORD is required"},
      {{"price", record, "--output", record}, "is read by this command"},
      {{"price", record, "--catalog", "/no/such/folder"}, "/no/such/folder"},
      {{"compare", scenario, "--record", scenario}, "is read by this command"},
      {{"compare", scenario, "--record", folder.path()}, "it is a folder"},
      {{"compare", scenario, "--record", record, "--output", record}, "is what --output writes to"},
  };
  for (const auto& [arguments, message] : answers) {
    const Answer said = stockout_says(arguments);
    CHECK(said.code == ExitCode::bad_input);
    CHECK_THAT(said.err, Catch::Contains(message));
    CHECK(said.out.empty());
  }
}
