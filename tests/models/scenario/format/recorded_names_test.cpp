// GPU and machine types that a trace names in its cluster's own words.

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using Catch::Contains;

namespace {

constexpr const char* kRecorded =
    "submit,duration,gpus,machine,gpu\n"
    "1,60,8,,h100\n"
    "2,60,8,dgx-1,\n"
    "3,60,8,,A100-80GB|h100\n"
    "4,60,8,,A100-80GB\n"
    "5,60,8,,\n";

// The small scenario on A3 and A2 machines, with the recorded jobs and these keys of their source.
std::string with_source(const std::string& keys) {
  return R"({
 "name": "small", "start": "2026-08-03", "window": "2d", "prices_as_of": "2026-07-30",
 "workload": [{"name": "jobs", )" +
         keys + R"(}],
 "pools": [{"name": "h100", "family": "a3-highgpu", "place": "us-central1-a", "hosts": 8},
           {"name": "a100", "family": "a2-ultragpu", "place": "us-central1-a", "hosts": 8}],
 "strategies": [{"name": "first", "legs": [{"model": "on_demand"}]}]
})";
}

Scenario load(const test::ScenarioLoader& loader, const std::string& keys) {
  static_cast<void>(loader.folder().file("jobs.csv", kRecorded));
  return loader.load(with_source(keys));
}

// What each recorded job asks for, in order.
std::vector<Shape> shapes_of(const World& world) {
  std::vector<Shape> shapes;
  for_each_recorded_job(
      world, 0, [&](std::uint64_t, const Job& job) { shapes.push_back(world.shapes[index(job.shape)]); });
  return shapes;
}

bool warns(const Scenario& scenario, const std::string& text) {
  return std::ranges::any_of(
      scenario.warnings, [&](const std::string& warning) { return warning.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("Names of a trace are those of the catalogue that they mean", "[scenario]") {
  const test::ScenarioLoader loader;
  const Scenario scenario = load(loader, R"("gpu": "A100-80GB", "trace": {"file": "jobs.csv", "format": "csv",
    "names": {"h100": "a3-highgpu-8g", "dgx-1": "H100-80GB", "v100": "H100-80GB"}})");
  const auto shapes = shapes_of(scenario.world);
  REQUIRE(shapes.size() == 5);
  CHECK(shapes[0].machine == "a3-highgpu-8g");
  CHECK(shapes[0].gpu == "H100-80GB");
  CHECK(shapes[1].machine.empty());
  CHECK(shapes[1].gpu == "H100-80GB");
  CHECK(scenario.world.speeds[index(shapes[2].speed)].gpus.size() == 2);
  CHECK(shapes[3].gpu == "A100-80GB");
  CHECK(shapes[4].gpu == "A100-80GB");
  CHECK(warns(scenario, "no job of the file has \"v100\" of \"names\""));
  CHECK_FALSE(warns(scenario, "taken to run on"));
}

TEST_CASE("A recorded name that the catalogue lacks gives way to the machine of the source", "[scenario]") {
  const test::ScenarioLoader loader;
  const Scenario scenario =
      load(loader, R"("machine": "a3-highgpu-8g", "trace": {"file": "jobs.csv", "format": "csv"})");
  const auto shapes = shapes_of(scenario.world);
  REQUIRE(shapes.size() == 5);
  for (const std::size_t job : {0UL, 1UL, 2UL, 4UL}) CHECK(shapes[job].machine == "a3-highgpu-8g");
  CHECK(shapes[3].machine.empty());
  CHECK(shapes[3].gpu == "A100-80GB");
  CHECK(warns(scenario,
              "jobs that the file has on dgx-1, h100 are taken to run on a3-highgpu-8g, as the catalogue has "
              "no such type"));
}

TEST_CASE("One machine may be meant by every name", "[scenario]") {
  const test::ScenarioLoader loader;
  const Scenario scenario =
      load(loader, R"("machine": "a2-ultragpu-8g", "trace": {"file": "jobs.csv", "format": "csv",
    "names": {"*": "a3-highgpu-8g"}})");
  const auto shapes = shapes_of(scenario.world);
  REQUIRE(shapes.size() == 5);
  for (const std::size_t job : {0UL, 1UL, 3UL}) CHECK(shapes[job].machine == "a3-highgpu-8g");
  CHECK(shapes[2].gpu == "H100-80GB");
  CHECK(shapes[4].machine == "a2-ultragpu-8g");
}

TEST_CASE("A recorded name that nothing explains is an error that says what to write", "[scenario]") {
  const test::ScenarioLoader loader;
  const std::string error = test::error_in(
      [&] { static_cast<void>(load(loader, R"("trace": {"file": "jobs.csv", "format": "csv"})")); });
  CHECK_THAT(error, Contains("data row 2 of jobs.csv: there is no machine type \"dgx-1\""));
  CHECK_THAT(error,
             Contains("\"names\": {\"dgx-1\": \"...\"} of the trace, or with \"machine\" of the source"));
}

TEST_CASE("Classes by length are as their source says, unless they are described", "[scenario]") {
  const test::ScenarioLoader loader;
  const std::string file = loader.folder().file("t.csv", "submit,duration,gpus\n100,60,1\n200,7200,4\n");
  const Scenario scenario = loader.small(
      {{"/workload/0",
        R"({"name": "trace", "gpu": "generic", "checkpoint": {"every": "10min", "cost": "1min"},
           "trace": {"format": "csv", "file": ")" +
            file + R"(", "class_by_length": [{"name": "short", "up_to": "1h"}, {"name": "long"}]}})"},
       {"/classes", R"({"long": {"checkpoint": {"every": "2h", "cost": "1min"}}})"},
       {"/window", "30d"}});
  const auto& jobs = *std::get<TraceDemand>(scenario.world.sources.at(0).demand).jobs;
  const auto every = [&](std::size_t job) {
    return scenario.world.classes[index(jobs.job_class[job])].checkpoint_every;
  };
  CHECK(every(0) == std::chrono::minutes{10});
  CHECK(every(1) == std::chrono::hours{2});
}

TEST_CASE("Rows of a trace that are no jobs are one warning, with every reason", "[scenario]") {
  const test::ScenarioLoader loader;
  const std::string file =
      loader.folder().file("t.csv", "submit,duration,gpus\n100,60,1\n200,0,4\n300,60,0\n400,0,1\n");
  const Scenario scenario = loader.small(
      {{"/workload/0",
        R"({"name": "jobs", "gpu": "generic", "trace": {"format": "csv", "file": ")" + file + R"("}})"},
       {"/window", "30d"}});
  const auto is_about_rows = [](const std::string& line) {
    return line.find("left out") != std::string::npos;
  };
  CHECK(std::ranges::count_if(scenario.warnings, is_about_rows) == 1);
  const auto said = std::ranges::find_if(scenario.warnings, is_about_rows);
  REQUIRE(said != scenario.warnings.end());
  CHECK_THAT(*said, Contains("jobs: 3 rows are no jobs and were left out: ") &&
                        Contains("(2 rows, first in line 3); ") && Contains("(1 row, first in line 4)"));
}

TEST_CASE("Broken rows of a scenario's trace are warned of, with the place and what stood there",
          "[scenario]") {
  const test::ScenarioLoader loader;
  const std::string file =
      loader.folder().file("t.csv", "submit,duration,gpus\n100,60,1\n200,60,eight\n300,0,1\n");
  const Scenario scenario = loader.small(
      {{"/workload/0",
        R"({"name": "jobs", "gpu": "generic", "trace": {"format": "csv", "file": ")" + file + R"("}})"},
       {"/window", "30d"}});
  std::vector<std::string> said;
  std::ranges::copy_if(scenario.warnings, std::back_inserter(said),
                       [](const std::string& line) { return line.find("left out") != std::string::npos; });
  REQUIRE(said.size() == 2);
  CHECK(said[0] ==
        "jobs: 1 row could not be read and was left out, and its job is missing: column \"gpus\": must be a "
        "whole number (1 row, first in line 3: \"eight\")");
  CHECK(said[1] == "jobs: 1 row is no job and was left out: run time is zero (1 row, first in line 4)");
}
