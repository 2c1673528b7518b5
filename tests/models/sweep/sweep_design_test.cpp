// What a sweep file makes of a scenario: its points, and what it refuses.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "models/sweep/documentation.h"
#include "models/sweep/keys.h"
#include "models/sweep/shard.h"
#include "models/sweep/sweep_file.h"
#include "sim/io/input_file.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using stockout::test::error_in;
using stockout::test::kSmallScenario;

namespace {

/// Sweep files in a folder of their own, beside the small scenario.
class DesignFolder {
 public:
  DesignFolder() { static_cast<void>(folder_.file("small.json", kSmallScenario)); }

  [[nodiscard]] Sweep vary(const std::string& vary) const {
    return read_sweep(folder_.file("sweep.json", fmt::format(R"({{
 "name": "s",
 "scenario": "small.json",
 "vary": {}
}})",
                                                             vary)));
  }

  /// The error in it, without the folder's name.
  [[nodiscard]] std::string refused(const std::string& text) const {
    std::string error = error_in([&] { static_cast<void>(vary(text)); });
    const std::string prefix = folder_.path();
    for (std::size_t at = error.find(prefix); at != std::string::npos; at = error.find(prefix))
      error.erase(at, prefix.size());
    return error;
  }

 private:
  test::ScratchFolder folder_;
};

std::string values_text(const Design& design, std::size_t point) {
  std::string text;
  for (const JsonValue* value : design.values(point)) text += to_text(*value) + " ";
  return text;
}

double number_at(const Design& design, std::size_t point, std::size_t parameter) {
  const JsonValue& value = *design.values(point)[parameter];
  const auto* whole = value.get<std::int64_t>();
  return whole != nullptr ? static_cast<double>(*whole) : *value.get<double>();
}

}  // namespace

TEST_CASE("A grid is the product of its lists, the last fastest", "[sweep]") {
  const DesignFolder folder;
  const Design design = folder
                            .vary(R"({"grid": [
    {"at": "/seed", "values": [1, 2, 3]},
    {"at": ["/pools/0/gpus", "/reservations/0/count"], "name": "gpus", "values": [4, 8]}]})")
                            .design;
  REQUIRE(design.points() == 6);
  CHECK(design.parameters()[0].column == "seed");
  CHECK(design.parameters()[1].column == "gpus");
  CHECK(values_text(design, 0) == "1 4 ");
  CHECK(values_text(design, 1) == "1 8 ");
  CHECK(values_text(design, 2) == "2 4 ");
  CHECK(values_text(design, 5) == "3 8 ");
  const auto placed = design.placed(5);
  REQUIRE(placed.size() == 3);
  CHECK(placed[1].pointer == "/pools/0/gpus");
  CHECK(placed[2].pointer == "/reservations/0/count");
  CHECK(to_text(placed[2].value) == "8");
}

TEST_CASE("Points come one by one, and parts multiply", "[sweep]") {
  const DesignFolder folder;
  const Design design = folder
                            .vary(R"({
    "points": {"parameters": [{"at": "/seed"}, {"at": "/pools/0/gpus"}], "rows": [[1, 8], [2, 16]]},
    "grid": [{"at": "/replications", "name": "runs", "values": [3, 4, 5]}]})")
                            .design;
  REQUIRE(design.points() == 6);
  CHECK(values_text(design, 0) == "1 8 3 ");
  CHECK(values_text(design, 2) == "1 8 5 ");
  CHECK(values_text(design, 3) == "2 16 3 ");
}

TEST_CASE("A unit makes durations of numbers, and stands in the column's name", "[sweep]") {
  const DesignFolder folder;
  const Design design =
      folder
          .vary(R"({"grid": [{"at": "/workload/0/work", "name": "work", "unit": "h", "values": [1, 2.5]}]})")
          .design;
  CHECK(design.parameters()[0].column == "work_h");
  CHECK(values_text(design, 1) == "2.5 ");
  CHECK(to_text(design.placed(1)[0].value) == "\"9000000ms\"");
}

TEST_CASE("A Latin hypercube has one point in each stratum of each range", "[sweep]") {
  const DesignFolder folder;
  const Design design = folder
                            .vary(R"({"latin_hypercube": {"points": 40, "ranges": [
    {"at": "/prices/0/usd_per_hour", "linear": [10, 50]},
    {"at": "/demand", "log": [0.01, 100]},
    {"at": "/pools/0/gpus", "integer": [1, 8]},
    {"at": "/end", "values": ["drain", "window"]},
    {"at": "/workload/0/work", "unit": "h", "linear": [1, 5]}]}})")
                            .design;
  REQUIRE(design.points() == 40);
  std::set<int> linear;
  std::set<int> logarithmic;
  std::vector<int> whole(9);
  int drained = 0;
  for (std::size_t point = 0; point < 40; ++point) {
    linear.insert(static_cast<int>(std::floor((number_at(design, point, 0) - 10) / 40 * 40)));
    logarithmic.insert(static_cast<int>(std::floor(std::log10(number_at(design, point, 1) / 0.01) / 4 * 40)));
    ++whole[static_cast<std::size_t>(number_at(design, point, 2))];
    drained += to_text(*design.values(point)[3]) == "\"drain\"" ? 1 : 0;
    const double ms = number_at(design, point, 4) * 3'600'000;
    CHECK(std::abs(ms - std::round(ms)) < 1e-6);
  }
  CHECK(linear.size() == 40);
  CHECK(logarithmic.size() == 40);
  CHECK(*std::max_element(whole.begin() + 1, whole.end()) == 5);
  CHECK(*std::min_element(whole.begin() + 1, whole.end()) == 5);
  CHECK(drained == 20);
}

TEST_CASE("A hypercube is the same for the same seed, and ranges are not paired", "[sweep]") {
  const DesignFolder folder;
  const auto made = [&](int seed) {
    return folder
        .vary(fmt::format(R"({{"latin_hypercube": {{"points": 30, "seed": {}, "ranges": [
      {{"at": "/prices/0/usd_per_hour", "linear": [0, 1]}}, {{"at": "/demand", "linear": [0, 1]}}]}}}})",
                          seed))
        .design;
  };
  const Design first = made(1);
  const Design again = made(1);
  const Design other = made(2);
  bool differs = false;
  double correlation = 0;
  for (std::size_t point = 0; point < 30; ++point) {
    CHECK(number_at(first, point, 0) == number_at(again, point, 0));
    differs = differs || number_at(first, point, 0) != number_at(other, point, 0);
    correlation += (number_at(first, point, 0) - 0.5) * (number_at(first, point, 1) - 0.5) * 12 / 30;
  }
  CHECK(differs);
  CHECK(std::abs(correlation) < 0.6);  // 3.3 standard deviations of 1 / sqrt(30)
}

TEST_CASE("What a sweep file may not hold is reported with its place", "[sweep]") {
  const DesignFolder folder;
  const auto grid = [&](const std::string& list) { return folder.refused("{\"grid\": [" + list + "]}"); };
  using Catch::Contains;
  CHECK_THAT(folder.refused("{}"), Contains("sweep.json:4: /vary: one of \"points\""));
  CHECK_THAT(folder.refused("{\"grids\": []}"),
             Contains("/vary/grids: there is no key \"grids\", did you mean \"grid\"?"));
  CHECK_THAT(grid(R"({"at": "/seed", "values": []})"), Contains("/vary/grid/0/values: must have 1 to"));
  CHECK_THAT(grid(R"({"at": "seed", "values": [1]})"), Contains("must be a JSON pointer"));
  CHECK_THAT(grid(R"({"at": "/sed", "values": [1]})"),
             Contains("sweep.json:4: /vary/grid/0/values/0: ") &&
                 Contains("there is no key \"sed\", did you mean \"seed\"?"));
  CHECK_THAT(grid(R"({"at": "/pools/7/gpus", "values": [1]})"), Contains("there is no item \"7\""));
  CHECK_THAT(grid(R"({"at": "/pools/0/gpus", "values": [8, -8]})"),
             Contains("/vary/grid/0/values/1") && Contains("/pools/0/gpus: must be at least"));
  CHECK_THAT(grid(R"({"at": "/seed", "name": "a b", "values": [1]})"), Contains("it names a column"));
  CHECK_THAT(grid(R"({"at": "/seed", "name": "Cost_USD", "values": [1]})"),
             Contains("is taken by the store"));
  CHECK_THAT(grid(R"({"at": "/seed", "values": [1]}, {"at": "/end", "name": "SEED", "values": ["drain"]})"),
             Contains("the column \"SEED\" is taken by") && Contains("/vary/grid/0"));
  CHECK_THAT(grid(R"({"at": "/seed", "values": [1]}, {"at": "/seed", "name": "b", "values": [1]})"),
             Contains("/seed is varied twice"));
  CHECK_THAT(grid(R"({"at": "/pools/0", "values": [{"family": "generic", "place": "generic", "gpus": 8}]},
                     {"at": "/pools/0/gpus", "values": [1]})"),
             Contains("/pools/0/gpus lies within /pools/0"));
  CHECK_THAT(grid(R"({"at": "/workload/0/work", "unit": "h", "values": ["1h"]})"),
             Contains("must be a number from 0 to"));
  CHECK_THAT(grid(R"({"at": "/workload/0/work", "unit": "h", "values": [1e300]})"),
             Contains("must be a number from 0 to"));
}

TEST_CASE("Hostile sweep files are reported what is wrong, and nothing more happens", "[sweep]") {
  const DesignFolder folder;
  using Catch::Contains;
  CHECK_THAT(folder.refused("{"), Contains("sweep.json:"));
  CHECK_THAT(folder.refused("[]"), Contains("/vary: must be an object"));
  CHECK_THAT(folder.refused(R"({"grid": [], "grid": []})"), Contains("is already on line 4"));
  CHECK_THAT(folder.refused(R"({"grid": [{"at": "/seed", "values": [1e999]}]})"), Contains("sweep.json:4"));
  CHECK_THAT(folder.refused(R"({"grid": [{"at": "/seed", "values": )" + std::string(200, '[') +
                            std::string(200, ']') + "}]}"),
             Contains("deep"));
  CHECK_THAT(folder.refused(R"({"grid": [{"at": "/seed\n", "values": [1]}]})"),
             Contains("control character"));
  CHECK_THAT(folder.refused(R"({"grid": [{"at": "/~2", "values": [1]}]})"), Contains("must be written"));
  CHECK_THAT(folder.refused(R"({"latin_hypercube": {"points": 100000, "ranges": [)" +
                            [] {
                              std::string ranges;
                              for (int i = 0; i < 11; ++i)
                                ranges += fmt::format(R"({}{{"at": "/a{}", "linear": [0, 1]}})",
                                                      i == 0 ? "" : ", ", i);
                              return ranges;
                            }() +
                            "]}}"),
             Contains("at most 1000000 values are drawn"));
}

TEST_CASE("What is varied is not said for all points as well", "[sweep]") {
  const DesignFolder folder;
  CHECK(folder.refused(R"({"grid": [{"at": "/seed", "values": [1]}]}, "seed": 7)") ==
        "sweep.json:4: /seed: is varied too, by sweep.json:4: /vary/grid/0");
}

TEST_CASE("Ranges that are none are refused", "[sweep]") {
  const DesignFolder folder;
  const auto range = [&](const std::string& text) {
    return folder.refused(R"({"latin_hypercube": {"points": 4, "ranges": [{"at": "/demand", )" + text +
                          "}]}}");
  };
  using Catch::Contains;
  CHECK_THAT(range(R"("linear": [2, 1])"), Contains("must be two numbers, the lesser first"));
  CHECK_THAT(range(R"("linear": [1])"), Contains("must have 2 items"));
  CHECK_THAT(range(R"("log": [0, 1])"), Contains("must be above 0"));
  CHECK_THAT(range(R"("integer": [0.5, 1])"), Contains("must be whole numbers"));
  CHECK_THAT(range(R"("linear": [1, 2], "log": [1, 2])"), Contains("cannot go together"));
  CHECK_THAT(range(R"("linear": [1, 1000])"), Contains("/demand: must be at most 100"));
  CHECK_THAT(folder.refused(R"({"latin_hypercube": {"points": 4, "ranges": [
                {"at": "/pools/0/gpus", "linear": [1, 9]}]}})"),
             Contains("/pools/0/gpus: must be a whole number"));
}

TEST_CASE("A sweep has at most ten million points", "[sweep]") {
  const DesignFolder folder;
  std::string values = "1";
  for (int i = 2; i <= 60; ++i) values += fmt::format(", {}", i);
  std::string lists;
  for (const char* place : {"/seed", "/replications", "/pools/0/gpus", "/reservations/0/count"})
    lists += fmt::format("{}{{\"at\": \"{}\", \"values\": [{}]}}", lists.empty() ? "" : ", ", place, values);
  CHECK_THAT(folder.refused("{\"grid\": [" + lists + "]}"), Catch::Contains("more than 10000000 points"));
}

TEST_CASE("A shard is taken from the option, Slurm or Kubernetes", "[sweep]") {
  std::map<std::string, std::string> variables;
  const auto environment = [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
  CHECK(choose_shard("", {}, environment).said_by.empty());
  CHECK(choose_shard("3/4", {}, environment).shard == Shard{.index = 3, .of = 4});
  CHECK_THROWS_WITH(choose_shard("4/4", {}, environment), Catch::Contains("there is no shard 4 of 4"));
  CHECK_THROWS_WITH(choose_shard("x", {}, environment), Catch::Contains("must be i/n"));
  CHECK_THROWS_WITH(choose_shard("1/0", {}, environment), Catch::Contains("of 1 to"));
  CHECK_THROWS_WITH(choose_shard("", 4, environment), Catch::Contains("not which of them"));
  variables = {{"JOB_COMPLETION_INDEX", "2"}};
  CHECK(choose_shard("", 4, environment).shard == Shard{.index = 2, .of = 4});
  CHECK_THROWS_WITH(choose_shard("", {}, environment), Catch::Contains("say --shards"));
  variables = {{"SLURM_ARRAY_TASK_ID", "11"},
               {"SLURM_ARRAY_TASK_MIN", "5"},
               {"SLURM_ARRAY_TASK_STEP", "2"},
               {"SLURM_ARRAY_TASK_COUNT", "6"}};
  const ShardChoice task = choose_shard("", {}, environment);
  CHECK(task.shard == Shard{.index = 3, .of = 6});
  CHECK(task.said_by == "SLURM_ARRAY_TASK_ID");
  CHECK(choose_shard("0/2", {}, environment).said_by == "--shard");
  CHECK_THROWS_WITH(choose_shard("", 12, environment), Catch::Contains("the Slurm array has 6 tasks"));
  variables["SLURM_ARRAY_TASK_COUNT"] = "3";
  CHECK_THROWS_WITH(choose_shard("", 3, environment), Catch::Contains("there is no shard 3 of 3"));
  variables["SLURM_ARRAY_TASK_ID"] = "-1";
  CHECK_THROWS_WITH(choose_shard("", {}, environment), Catch::Contains("must be a whole number"));
}

TEST_CASE("A shard's store is named after it", "[sweep]") {
  CHECK(shard_path("load.sqlite", {.index = 3, .of = 10}) == "load.shard-3-of-10.sqlite");
  CHECK(shard_path("a.b/load", {.index = 0, .of = 2}) == "a.b/load.shard-0-of-2");
  CHECK(shard_path("a.b/.load", {.index = 0, .of = 2}) == "a.b/.load.shard-0-of-2");
}

namespace {

std::string sweeps_file(const std::string& name) {
  return std::string{STOCKOUT_SCENARIOS_DIR} + "/sweeps/" + name;
}

// Compares with the file, or writes it where the developer says so.
void check_equal(const std::string& name, const std::string& made) {
  const char* update = std::getenv("STOCKOUT_UPDATE_GOLDEN");
  if (update != nullptr && std::string{update} == "1") std::ofstream{sweeps_file(name)} << made;
  CHECK(read_text_file(sweeps_file(name), 1 << 20) == made);
}

}  // namespace

TEST_CASE("The sweep schema is that of the reader", "[sweep]") { check_equal("schema.json", sweep_schema()); }

TEST_CASE("The sweep reference page is that of the reader", "[sweep]") {
  check_equal("REFERENCE.md", sweep_reference());
}

TEST_CASE("Shipped sweeps are right", "[sweep]") {
  int sweeps = 0;
  for (const auto& entry : std::filesystem::directory_iterator{sweeps_file("")}) {
    if (entry.path().extension() != ".json" || entry.path().filename() == "schema.json") continue;
    CAPTURE(entry.path());
    const Sweep sweep = read_sweep(entry.path().string());
    const Catalog catalog = Catalog::embedded();
    ScenarioCache cache;
    CHECK_NOTHROW(point_scenario(sweep, sweep.design.points() - 1, catalog, cache));
    ++sweeps;
  }
  CHECK(sweeps >= 1);
}
