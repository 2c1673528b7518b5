// A wrong value is an error of the place that has it, and not of the file that it is about.

#include <string>

#include <catch2/catch.hpp>

#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using Catch::Contains;

namespace {

constexpr const char* kProbes =
    "scheduled_at,zone,instances_requested,instances_created\n2026-08-01 10:00,a,4,2\n2026-08-01 "
    "10:10,a,4,3\n";

// What is said of the small scenario with another trace or pool in its lines.
std::string error_with(const std::string& from, const std::string& to) {
  const test::ScenarioLoader loader;
  static_cast<void>(
      loader.folder().file("jobs.csv",
                           "submit,duration,gpus,machine,gpu\n"
                           "9,60,1,generic,generic\n5,60,1,,\n3,60,8,a3-highgpu-8x,\n2,60,1,,H2000\n"));
  static_cast<void>(loader.folder().file("sound.csv", "submit,duration,gpus\n0,60,1\n"));
  static_cast<void>(loader.folder().file("probes.csv", kProbes));
  std::string text = test::kSmallScenario;
  REQUIRE(text.find(from) != std::string::npos);
  text.replace(text.find(from), from.size(), to);
  return test::error_in([&] { static_cast<void>(loader.load(text)); });
}

std::string error_of_trace(const std::string& keys) {
  return error_with(R"("schedule": {"at": "12:00"}, "machine": "generic", "work": "1h")",
                    R"("machine": "generic", "trace": {"format": "csv", )" + keys + "}");
}

// The same of a source that names no machine.
std::string error_of_bare_trace(const std::string& keys) {
  return error_with(R"("schedule": {"at": "12:00"}, "machine": "generic", "work": "1h")",
                    R"("trace": {"format": "csv", )" + keys + "}");
}

std::string error_of_availability(const std::string& keys) {
  return error_with(
      R"("gpus": 8)",
      R"("machine": "generic", "capacity": [{"classes": ["spot"], "availability": {"shape": "generic", )" +
          keys + "}}]");
}

}  // namespace

TEST_CASE("A file that is not there is an error of the value that names it", "[scenario]") {
  CHECK(error_of_trace(R"("file": "job.csv")") ==
        "s.json:8: /workload/0/trace/file: job.csv: there is no such file, did you mean \"jobs.csv\"?");
  CHECK_THAT(error_of_availability(R"("file": "probe.csv")"),
             Contains("s.json:11: /pools/0/capacity/0/availability/file: probe.csv: there is no such file"));
  CHECK_THAT(
      error_with(
          R"("gpus": 8)",
          R"("machine": "generic", "capacity": [{"classes": ["spot"], "markov": {"shape": "generic", "profile": "m.json"}}])"),
      Contains("s.json:11: /pools/0/capacity/0/markov/profile: m.json: there is no such file"));
  CHECK_THAT(error_with(R"("work": "1h")", R"("work": {"empirical": {"file": "lengths.txt"}})"),
             Contains("s.json:8: /workload/0/work/empirical/file: lengths.txt: there is no such file"));
  CHECK_THAT(error_of_trace(R"("file": ".")"), Contains("s.json:8: /workload/0/trace/file: .: is a folder"));
}

TEST_CASE("A time zone that is none is an error of the scenario", "[scenario]") {
  const std::string mars = R"("time_zone": "Mars", )";
  CHECK_THAT(error_of_trace(mars + R"("file": "sound.csv")"),
             Contains("s.json:8: /workload/0/trace/time_zone: there is no time zone \"Mars\""));
  CHECK_THAT(
      error_of_availability(mars + R"("zone": "a", "file": "probes.csv")"),
      Contains("s.json:11: /pools/0/capacity/0/availability/time_zone: there is no time zone \"Mars\""));
}

TEST_CASE("A zone that a file of probes lacks is an error of the value that asks for it", "[scenario]") {
  CHECK_THAT(error_of_availability(R"("file": "probes.csv", "zone": "b")"),
             Contains("s.json:11: /pools/0/capacity/0/availability/zone: probes.csv has no zone \"b\", did "
                      "you mean \"a\"?"));
  CHECK_THAT(error_of_availability(R"("file": "probes.csv")"),
             Contains("s.json:11: /pools/0/capacity/0/availability: probes.csv holds several zones"));
}

TEST_CASE("A machine or GPU type that is none is told with its file, row and cure", "[scenario]") {
  CHECK_THAT(
      error_of_bare_trace(R"("file": "jobs.csv")"),
      Contains("s.json:8: /workload/0/trace: data row 3 of jobs.csv: there is no machine type "
               "\"a3-highgpu-8x\", did you mean \"a3-highgpu-8g\"? Say which type it is with "
               "\"names\": {\"a3-highgpu-8x\": \"...\"} of the trace, or with \"machine\" of the source"));
  CHECK_THAT(error_of_bare_trace(R"("file": "jobs.csv", "first": 1)"),
             Contains("data row 4 of jobs.csv: there is no GPU type \"H2000\", did you mean \"H200\""));
}

TEST_CASE("A recorded name must mean a type of the catalogue", "[scenario]") {
  CHECK_THAT(error_of_bare_trace(R"("file": "jobs.csv", "names": {"H2000": "H201"})"),
             Contains("s.json:8: /workload/0/trace/names/H2000: there is no machine or GPU type \"H201\""));
}

TEST_CASE("A day outside the calendar is told the days that there are", "[scenario]") {
  CHECK_THAT(error_with(R"("start": "2026-08-03")", R"("start": "1980-08-03")"),
             Contains("/start: must be a date from 1990-01-01 to 2199-12-31"));
}
