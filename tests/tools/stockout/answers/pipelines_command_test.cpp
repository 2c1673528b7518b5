// Pipelines in what the program says. Two machines; on the first of two days a job that belongs to no
// pipeline has one of them from 12:30 to 19:00.
//   flex:       prepare 12:00 to 13:00, left to 15:00, right 15:00 to 18:00, last, on both machines, 19:00 to
//               19:30: 7.5 h. The day after, right begins with left at 13:00, last at 16:00: 4.5 h.
//   on-demand:  right is refused at 13:00, so that last is skipped; left ends at 15:00.

#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

const char* const kPiped = R"({
 "name": "piped", "start": "2026-08-03", "window": "2d", "prices_as_of": "2026-07-30", "replications": 1,
 "prices": [{"machine": "generic", "usd_per_hour": 10},
            {"machine": "generic", "model": "flex_start", "usd_per_hour": 5}],
 "workload": [
  {"name": "prepare", "schedule": {"at": "12:00", "days": "every_day"}, "machine": "generic", "work": "1h"},
  {"name": "left", "after": ["prepare"], "machine": "generic", "work": "2h"},
  {"name": "right", "after": ["prepare"], "machine": "generic", "work": "3h"},
  {"name": "last", "after": ["left", "right"], "machine": "generic", "nodes": 2, "work": "30min"},
  {"name": "other", "schedule": {"at": "12:30", "on_days": [0]}, "machine": "generic", "work": "390min"}],
 "pools": [{"name": "zone", "family": "generic", "place": "generic", "machines": 2, "machine": "generic"}],
 "models": {"all": {"start_up": "0s"}, "on_demand": {"retries": 0}},
 "strategies": [{"name": "flex", "legs": [{"model": "flex_start"}]},
                {"name": "on-demand", "legs": [{"model": "on_demand"}]}]})";

double mean_of(const Json& rows, const std::string& name, const std::string& measure) {
  for (const Json& row : rows) {
    if (row["name"] == name) return row["measures"][measure]["mean"];
  }
  return -1;
}

}  // namespace

TEST_CASE("Reports tell how long pipelines took, and how long each step waited", "[cli]") {
  const ScratchFolder folder;
  const std::string file = folder.file("piped.json", kPiped);
  const Json json = Json::parse(stockout_says({"compare", file, "--format", "json"}).out);
  const Json& flex = json["strategies"][0];
  CHECK(flex["total"]["pipelines"]["mean"] == 2);
  CHECK(flex["total"]["skipped"]["mean"] == 0);
  CHECK(flex["total"]["makespan_mean_h"]["mean"] == 6);
  CHECK(flex["total"]["makespan_p95_h"]["mean"] == 7.5);
  CHECK(mean_of(flex["pipelines"], "prepare", "makespan_mean_h") == 6);
  CHECK(mean_of(flex["steps"], "right", "wait_mean_h") == 1);
  CHECK(mean_of(flex["steps"], "last", "wait_mean_h") == 0.5);
  CHECK(mean_of(flex["steps"], "last", "held_back_mean_h") == 5);
  CHECK(mean_of(flex["steps"], "other", "wait_mean_h") == -1);
  const Json& on_demand = json["strategies"][1];
  CHECK(on_demand["total"]["skipped"]["mean"] == 1);
  CHECK(on_demand["total"]["pipelines_completed_share"]["mean"] == 0.5);
  CHECK(on_demand["total"]["makespan_mean_h"]["mean"] == 3.75);
  CHECK(on_demand["total"]["makespan_mean_h"]["is_lower_bound"] == true);
  CHECK(mean_of(on_demand["steps"], "last", "skipped") == 1);
  CHECK(mean_of(on_demand["steps"], "right", "refused") == 1);
}

TEST_CASE("Pipelines have tables for people, rows for spreadsheets, and a place on the page", "[cli]") {
  const ScratchFolder folder;
  const std::string file = folder.file("piped.json", kPiped);
  const std::string page = folder.path("page.html");
  const Answer text = stockout_says({"compare", file, "--full", "--report", page});
  CHECK_THAT(text.out, Contains("Pipelines, from submission to the end of the last job") &&
                           Contains("Steps of pipelines") && Contains("skipped"));
  std::ifstream in{page};
  CHECK_THAT((std::string{std::istreambuf_iterator<char>{in}, {}}), Contains("Steps of pipelines"));
  CHECK_THAT(stockout_says({"run", file, "--strategy", "flex"}).out, Contains("Steps of pipelines"));
  const std::string csv = stockout_says({"compare", file, "--format", "csv"}).out;
  CHECK_THAT(csv, Contains("flex,pipeline,prepare,1") && Contains("on-demand,step,last,1"));
  const std::string plain = stockout_says({"compare", STOCKOUT_SCENARIOS_DIR "/by-hand.json"}).out;
  CHECK_THAT(plain, !Contains("ipeline") && !Contains("skipped"));
}

TEST_CASE("A record of pipelines is priced and shown", "[cli]") {
  const ScratchFolder folder;
  const std::string file = folder.file("piped.json", kPiped);
  const std::string record = folder.path("runs.sqlite");
  REQUIRE(stockout_says({"compare", file, "--record", record}).code == ExitCode::done);
  CHECK(stockout_says({"price", record}).code == ExitCode::done);
  CHECK(stockout_says({"report", record, "--output", folder.path("record.html")}).code == ExitCode::done);
}

TEST_CASE("validate tells what follows what, and a cycle is told with exit code 2", "[cli]") {
  const ScratchFolder folder;
  const std::string file = folder.file("piped.json", kPiped);
  CHECK_THAT(stockout_says({"validate", file}).out, Contains("last, after left and right\n"));
  const Answer cycle = stockout_says({"compare", file, "--set", R"(/workload/1/after=["prepare", "last"])"});
  CHECK(cycle.code == ExitCode::bad_input);
  CHECK(cycle.out.empty());
  CHECK_THAT(cycle.err, Contains("/workload/1/after") && Contains(R"("left" after "last" after "left")"));
}
