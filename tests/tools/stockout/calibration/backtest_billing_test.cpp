// `stockout backtest --billing` as a user types it: a bill by hand (tests/data) beside a predicted one.

#include <fstream>
#include <sstream>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

// For 60 days a job of an hour each hour, on one GPU, that starts at once.
std::string record_of_hours() {
  const std::chrono::sys_days begin = std::chrono::year{2026} / 8 / 3;
  const auto stamp = [&](int hours) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", std::chrono::sys_seconds{begin} + std::chrono::hours{hours});
  };
  std::string text = "submit,start,end,gpus\n";
  for (int hour = 0; hour < 60 * 24; ++hour)
    text += fmt::format("{},{},{},1\n", stamp(hour), stamp(hour), stamp(hour + 1));
  return text;
}

constexpr const char* kHourly = R"({"name": "hourly", "start": "2026-08-03", "prices_as_of": "2026-07-30",
 "prices": [{"machine": "g2-standard-4", "usd_per_hour": 10}], "goal": {"wait_p": 95, "at_most": "2h"},
 "workload": [{"name": "jobs", "machine": "g2-standard-4", "trace": {"file": "record.csv", "format": "csv"}}],
 "pools": [{"name": "zone", "family": "g2-standard", "place": "us-central1-a", "gpus": 8}],
 "models": {"all": {"start_up": "0s"}}, "unknown": [UNKNOWN],
 "strategies": [{"name": "queued", "legs": [{"model": "flex_start", "max_wait": "forever"}]}]})";

constexpr const char* kGpus = R"({"name": "machines", "at": "/pools/0/gpus", "from": 2, "to": 6, "step": 1})";
constexpr const char* kPrice = R"({"name": "price", "at": "/prices/0/usd_per_hour", "from": 8, "to": 14})";

std::string with_unknown(const std::string& unknown) {
  std::string text = kHourly;
  return text.replace(text.find("UNKNOWN"), 7, unknown);
}

struct BillDesk {
  ScratchFolder folder;
  std::string record = folder.file("record.csv", record_of_hours());
  std::string bill = STOCKOUT_SCENARIOS_DIR "/../tests/data/focus_autumn.csv";

  [[nodiscard]] Answer backtest(std::vector<std::string> more, const std::string& unknown = kGpus) const {
    more.insert(more.begin(), {"backtest", folder.file("s.json", with_unknown(unknown)), "--observed", record,
                               "--strategy", "queued", "--runs", "400", "--split", "2026-09-12"});
    return stockout_says(more);
  }
};

}  // namespace

// After the split 479 hours are known: 456 of September and 23 of October, at $10 each. September was charged
// $7,200, of which 19 of 30 days count: $4,560. The first of October was charged $480: $460 of 23 hours.
TEST_CASE("A bill after the split is set against the predicted one", "[backtest][bill][evidence]") {
  const BillDesk desk;
  const Answer answer = desk.backtest({"--billing", desk.bill, "--format", "json"});
  CAPTURE(answer.out, answer.err);
  REQUIRE(answer.code == ExitCode::done);
  const Json bill = Json::parse(answer.out)["bill"];
  REQUIRE(bill["periods"].size() == 3);
  CHECK(bill["periods"][0]["recorded_usd"].get<double>() == Approx(5'020));
  CHECK(bill["periods"][0]["predicted_usd"].get<double>() == Approx(4'790));
  CHECK(bill["periods"][0]["error"].get<double>() == Approx(4'790.0 / 5'020 - 1));
  CHECK(bill["periods"][1]["period"] == "2026-09");
  CHECK(bill["periods"][1]["recorded_usd"].get<double>() == Approx(4'560));
  CHECK(bill["periods"][1]["predicted_usd"].get<double>() == Approx(4'560));
  CHECK(bill["periods"][2]["recorded_usd"].get<double>() == Approx(460));
  CHECK(bill["periods"][2]["predicted_usd"].get<double>() == Approx(230));
  CHECK(bill["periods"][2]["low_95_usd"].get<double>() == Approx(230));
  CHECK(bill["other_products_usd"].get<double>() == Approx(158));
  CHECK(bill["other_products"][0]["product"] == "a3-highgpu-8g as on_demand in us-central1");
}

TEST_CASE("A backtest says how far off the bill is, and what is left out of it", "[backtest][bill]") {
  const BillDesk desk;
  const std::string page_file = desk.folder.path("page.html");
  const Answer answer =
      desk.backtest({"--billing", desk.bill, "--format", "markdown", "--report", page_file});
  CAPTURE(answer.out, answer.err);
  REQUIRE(answer.code == ExitCode::done);
  CHECK_THAT(answer.out,
             Contains("The bill is predicted 4.6 % too low.") && Contains("Bill after the split"));
  CHECK_THAT(
      answer.out,
      Contains("$158 of other products are left out: the strategy does not buy a3-highgpu-8g as on_demand "
               "in us-central1 ($88.00), g2-standard-4 as spot in us-central1 ($70.00)."));
  CHECK_THAT(
      answer.out,
      Contains("Left out of the export, whatever the dates: 1 row ($300), a commitment's fee or use."));
  std::ostringstream page;
  page << std::ifstream{page_file}.rdbuf();
  CHECK_THAT(page.str(), Contains("Bill predicted beside recorded") && Contains("4.6 % too low"));
}

TEST_CASE("Worlds that disagree about the bill give an interval, and a bill far off costs the grade",
          "[backtest][bill][evidence]") {
  const BillDesk desk;
  const Answer answer = desk.backtest({"--billing", desk.bill, "--format", "json"}, kPrice);
  CAPTURE(answer.err);
  REQUIRE(answer.code == ExitCode::done);
  const Json found = Json::parse(answer.out)["bill"]["periods"][0];
  CHECK(found["low_95_usd"].get<double>() < found["low_50_usd"].get<double>());
  CHECK(found["low_50_usd"].get<double>() < found["predicted_usd"].get<double>());
  CHECK(found["high_50_usd"].get<double>() < found["high_95_usd"].get<double>());
  CHECK(found["low_95_usd"].get<double>() >= 8 * 479);
  CHECK(found["high_95_usd"].get<double>() <= 14 * 479);
  const Answer dear =
      desk.backtest({"--billing", desk.bill, "--set", "/prices/0/usd_per_hour=15", "--format", "markdown"});
  CHECK_THAT(dear.out, Contains("poor: ") && Contains("the bill is predicted 43 % too high"));
}

TEST_CASE("Bills that cannot be set against it are errors", "[backtest][bill]") {
  const BillDesk desk;
  std::ostringstream text;
  text << std::ifstream{desk.bill}.rdbuf();
  const auto error_of = [&](const std::string& from, const std::string& to) {
    std::string changed = text.str();
    for (std::size_t at = 0; (at = changed.find(from, at)) != std::string::npos; at += to.size())
      changed.replace(at, from.size(), to);
    const Answer answer = desk.backtest({"--billing", desk.folder.file("b.csv", changed)});
    CHECK(answer.code == ExitCode::bad_input);
    return answer.err;
  };
  CHECK_THAT(error_of("2026-", "2025-"),
             Contains("b.csv: has its charges for what the strategy buys before the split, or after the last "
                      "job of the history: are its dates those of the history?"));
  CHECK_THAT(
      error_of("DWS Defined Duration", "Plain"),
      Contains("b.csv: has no charge for what the strategy buys, such as g2-standard-4 as flex_start in "
               "us-central1"));
  CHECK_THAT(error_of("ChargePeriodStart", "Begin"), Contains("column \"ChargePeriodStart\" must be a time"));
  CHECK_THAT(error_of("2026-10-01T00:00:00Z,USD", "soon,USD"),
             Contains("column \"ChargePeriodEnd\" must be a time"));
  CHECK_THAT(error_of("2026-10-02T00:00:00Z", "2026-10-01T00:00:00Z"),
             Contains("a charge must end after it begins"));
  const Answer twice = desk.backtest({"--billing", desk.bill, "--billing", desk.bill});
  CHECK(twice.code == ExitCode::bad_input);
  CHECK_THAT(twice.err, Contains("is named twice by --billing"));
}
