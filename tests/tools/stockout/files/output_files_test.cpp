// Files that the command line names: outputs that would fall upon each other or upon inputs, empty names.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
namespace fs = std::filesystem;

namespace {

const std::string kByHand = std::string{STOCKOUT_SCENARIOS_DIR} + "/by-hand.json";
const std::string kQuickstart = std::string{STOCKOUT_SCENARIOS_DIR} + "/quickstart.json";

std::string text_of(const fs::path& path) {
  std::ifstream in{path};
  return {std::istreambuf_iterator<char>{in}, {}};
}

}  // namespace

TEST_CASE("What is written must not fall upon what is read, nor on another output", "[cli]") {
  const test::ScratchFolder folder;
  const std::string scenario = folder.file("s.json", text_of(kByHand));
  fs::create_symlink(scenario, folder.path("link.json"));
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"run", scenario, "--strategy", "one way for each job"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return stockout_says(arguments);
  };
  const std::string out = folder.path("out.csv");
  const auto refuses = [&](const std::vector<std::string>& options, const std::string& message) {
    const Answer answer = run(options);
    CHECK(answer.code == ExitCode::bad_input);
    CHECK_THAT(answer.err, Catch::Contains(message));
    CHECK(text_of(scenario) == text_of(kByHand));
    CHECK_FALSE(fs::exists(out));
  };
  refuses({"--jobs-out", out, "--leases-out", out}, "--leases-out: " + out + " is what --jobs-out writes to");
  refuses({"--output", out, "--leases-out", folder.path("./out.csv")},
          "is what --output writes to: name another file");
  fs::create_directory_symlink(".", folder.path("linked"));
  fs::create_symlink("out.csv", folder.path("to-out.csv"));
  for (const char* other : {"linked/out.csv", "to-out.csv", "./linked/./out.csv"})
    refuses({"--jobs-out", out, "--leases-out", folder.path(other)}, "is what --jobs-out writes to");
  refuses({"--jobs-out", folder.path("linked/s.json")}, "is read by this command");
  refuses({"--jobs-out", scenario},
          "--jobs-out: " + scenario + " is read by this command, and would be lost");
  refuses({"--leases-out", folder.path("link.json")}, "is read by this command");
  refuses({"--jobs-out", "-"}, "say /dev/stdout");
  CHECK(run({"--jobs-out", "/dev/null", "--leases-out", "/dev/null"}).code == ExitCode::done);
  CHECK_THAT(stockout_says({"compare", scenario, "--output", scenario}).err,
             Catch::Contains("would be lost"));
}

TEST_CASE("One new file under two names without a folder is one output", "[cli]") {
  const test::ScratchFolder folder;
  const fs::path before = fs::current_path();
  const std::string scenario = fs::absolute(kByHand).string();
  fs::current_path(folder.path());
  const Answer answer = stockout_says({"compare", scenario, "--output", "z.html", "--report", "./z.html"});
  fs::current_path(before);
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Catch::Contains("--report: ./z.html is what --output writes to"));
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("An empty value does not count as an option that is not given", "[cli]") {
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> options{
      {{"compare", "s.json"}, {"--output", "--record", "--report", "--focus", "--catalog", "--by", "--set"}},
      {{"run", "s.json", "--strategy", "spot"},
       {"--output", "--record", "--focus", "--jobs-out", "--leases-out", "--timeline", "--timeline-from"}},
      {{"check", "s.json"}, {"--baseline", "--junit", "--tolerance"}},
      {{"sweep", "s.json"}, {"--store", "--shard", "--catalog"}},
      {{"sweep", "merge", "m.sqlite", "s.sqlite"}, {"--sweep"}},
      {{"sweep", "export", "s.sqlite"}, {"--output", "--format"}},
      {{"report", "s.sqlite"}, {"--output"}},
      {{"price", "r.sqlite"}, {"--prices", "--output", "--date"}},
      {{"prices", "b.csv"}, {"--out", "--format"}},
      {{"trace", "info", "t.csv"}, {"--format", "--zone"}},
      {{"trace", "fit", "t.csv"}, {"--out", "--name"}},
      {{"trace", "synth", "s.json"}, {"--out"}},
      {{"supply", "fit", "p.csv"}, {"--out", "--zone", "--time-zone"}},
      {{"catalog"}, {"--catalog", "--gpu"}}};
  for (const auto& [command, names] : options) {
    for (const std::string& name : names) {
      for (const std::vector<std::string>& given : {std::vector<std::string>{name, ""}, {name + "="}}) {
        std::vector<std::string> arguments = command;
        arguments.insert(arguments.end(), given.begin(), given.end());
        CAPTURE(arguments);
        const Answer answer = stockout_says(arguments);
        CHECK(answer.code == ExitCode::bad_input);
        CHECK_THAT(answer.err, Catch::StartsWith("stockout: error: " + name + ": must not be empty\n"));
      }
    }
  }
}

TEST_CASE("An empty name of a file is told by what it should name", "[cli]") {
  for (const auto& [command, name] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"compare", ""}, "SCENARIO"},
           {{"validate", ""}, "SCENARIO"},
           {{"sweep", "", "--store", "s.sqlite"}, "SWEEP"},
           {{"sweep", "export", ""}, "STORE"},
           {{"sweep", "merge", "m.sqlite", "a.sqlite", ""}, "SHARD"},
           {{"report", ""}, "STORE"},
           {{"supply", "fit", ""}, "FILE"}}) {
    CAPTURE(command);
    const Answer answer = stockout_says(command);
    CHECK(answer.code == ExitCode::bad_input);
    CHECK_THAT(answer.err, Catch::StartsWith("stockout: error: " + name + ": must not be empty\n"));
  }
}

TEST_CASE("What is fitted or made up must not fall upon what it is made from", "[cli]") {
  const test::ScratchFolder folder;
  const std::string scenario = folder.file("s.json", text_of(kByHand));
  const std::string trace = folder.file("t.csv", "submit,duration,gpus\n0,60,1\n60,60,1\n");
  const std::string probes =
      folder.file("p.csv", "date,availability\n2026-08-03,0\n2026-08-03 01:00,1\n2026-08-03 02:00,1\n");
  const auto keeps = [](const std::string& input, std::vector<std::string> command) {
    const std::string before = text_of(input);
    command.insert(command.end(), {input, "--out", input});
    const Answer answer = stockout_says(command);
    CHECK(answer.code == ExitCode::bad_input);
    CHECK_THAT(answer.err, Catch::Contains("is read by this command, and would be lost"));
    CHECK(text_of(input) == before);
  };
  keeps(scenario, {"trace", "synth"});
  keeps(trace, {"trace", "fit", "--format", "csv"});
  keeps(probes, {"supply", "fit"});
}

TEST_CASE("An output must not fall upon a trace that the scenario names", "[cli]") {
  const test::ScratchFolder folder;
  const std::string trace = folder.file("t.csv", "submit,duration,gpus\n0,60,1\n");
  const Answer answer = stockout_says(
      {"compare", kQuickstart, "--output", trace, "--set",
       fmt::format(
           R"(/workload/-={{"name": "t", "gpu": "H100-80GB", "trace": {{"file": "{}", "format": "csv"}}}})",
           trace)});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Catch::Contains("t.csv is read by this command"));
}

TEST_CASE("A command that fails leaves no file behind", "[cli]") {
  const test::ScratchFolder folder;
  const Answer answer =
      stockout_says({"run", kByHand, "--strategy", "one way for each job", "--jobs-out",
                     folder.path("jobs.csv"), "--leases-out", folder.path("no/leases.csv")});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK(fs::is_empty(folder.path()));
}
