// `stockout check` as a user types it, without a process of its own.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/support/answer.h"
#include "tests/support/scenarios/small_scenario.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in{path};
  return {std::istreambuf_iterator<char>{in}, {}};
}

// A folder with the small scenario, and the command on it.
struct Checked {
  ScratchFolder folder;
  std::string scenario = folder.file("s.json", kSmallScenario);
  std::string baseline = folder.path("b.json");

  Answer check(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"check", scenario, "--baseline", baseline};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return stockout_says(arguments);
  }

  Checked() { REQUIRE(check({"--update"}).code == ExitCode::done); }
};

const std::string kDearer = "/prices/0/usd_per_hour=10.5";

}  // namespace

TEST_CASE("A scenario is as its own baseline says", "[check]") {
  const Checked checked;
  const Answer answer = checked.check();
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Catch::Contains("is as in") && Catch::Contains("fingerprint"));
  CHECK(answer.err.empty());
}

TEST_CASE("A measure that moved is exit code 1, with a row that says how far", "[check]") {
  const Checked checked;
  const Answer answer = checked.check({"--set", kDearer});
  CHECK(answer.code == ExitCode::not_as_asked);
  CHECK_THAT(answer.out, Catch::Contains("is not as in") && Catch::Contains("cost_usd") &&
                             Catch::Contains("USD") && Catch::Contains("+1.02 (+5.0 %)") &&
                             Catch::Contains("exact") && Catch::Contains("--update"));
  CHECK(checked.check({"--set", kDearer, "--tolerance", "5.1%"}).code == ExitCode::done);
  CHECK(checked.check({"--set", kDearer, "--tolerance", "4.9%"}).code == ExitCode::not_as_asked);
}

TEST_CASE("Another seed or number of replications is reported first", "[check]") {
  const Checked checked;
  for (const std::string option : {"--seed", "--replications"}) {
    const Answer answer = checked.check({option, "7"});
    CHECK(answer.code == ExitCode::not_as_asked);
    CHECK_THAT(answer.out,
               Catch::Contains("Differences of the experiment") && Catch::Contains(option.substr(2)));
  }
}

TEST_CASE("An update takes the new values, keeps tolerances and says what changed", "[check]") {
  const Checked checked;
  std::string text = text_of(checked.baseline);
  const std::string none = "\"tolerances\": {}";
  text.replace(text.find(none), none.size(), R"("tolerances": {"cost_usd": "2.5%"})");
  std::ofstream{checked.baseline} << text;

  const Answer answer = checked.check({"--update", "--set", kDearer});
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Catch::Contains("is the new baseline") && Catch::Contains("cost_usd"));
  CHECK_THAT(text_of(checked.baseline), Catch::Contains("\"cost_usd\": \"2.5%\""));
  CHECK(checked.check({"--set", kDearer}).code == ExitCode::done);
  CHECK(checked.check().code == ExitCode::not_as_asked);
  CHECK_THAT(checked.check({"--update", "--set", kDearer}).out, Catch::Contains("measures changed"));
}

TEST_CASE("A baseline that is not there is answered with the command that makes it", "[check]") {
  Checked checked;
  checked.baseline = checked.folder.path("none.json");
  const Answer answer = checked.check();
  CHECK(answer.code == ExitCode::bad_input);
  CHECK(answer.out.empty());
  CHECK_THAT(answer.err, Catch::Contains("none.json") && Catch::Contains("--update` makes it"));
  CHECK_FALSE(std::filesystem::exists(checked.baseline));
}

TEST_CASE("A check never falls upon what it reads, and leaves nothing half-written", "[check]") {
  Checked checked;
  const std::string scenario = text_of(checked.scenario);
  const std::string baseline = text_of(checked.baseline);
  const auto refused = [&](std::vector<std::string> more, const std::string& message) {
    const Answer answer = checked.check(std::move(more));
    CHECK(answer.code == ExitCode::bad_input);
    CHECK(answer.out.empty());
    CHECK_THAT(answer.err, Catch::Contains(message));
    CHECK(text_of(checked.scenario) == scenario);
  };
  refused({"--junit", checked.baseline}, "is read by this command");
  refused({"--junit", checked.scenario}, "is read by this command");
  refused({"--junit", "/no/such/folder/x.xml"}, "/no/such/folder/x.xml");
  refused({"--update", "--junit", checked.folder.path("x.xml")}, "--junit");
  refused({"--update", "--tolerance", "1%"}, "--tolerance");
  refused({"--tolerance", "1"}, "--tolerance: must be \"exact\", \"interval\" or a percentage");
  refused({"--tolerance", ""}, "--tolerance");
  refused({"--update", "--set", "/pools/0/gpus=-1"}, "/pools/0/gpus");
  CHECK(text_of(checked.baseline) == baseline);
  checked.baseline = checked.scenario;
  refused({}, "is no baseline that this program reads");
  refused({"--update"}, "is no baseline that this program reads");
}

TEST_CASE("An update does not write over a file that is no baseline", "[check]") {
  const Checked checked;
  std::ofstream{checked.baseline} << "{\"mine\": 1}";
  CHECK(checked.check({"--update"}).code == ExitCode::bad_input);
  CHECK(text_of(checked.baseline) == "{\"mine\": 1}");
}
