#include <catch2/catch.hpp>

#include "tests/support/made_up/sweep_folder.h"

using Catch::Contains;
using stockout::ExitCode;
using stockout::test::Answer;
using stockout::test::kSmallSweep;
using stockout::test::random_scenario;
using stockout::test::stockout_says;
using stockout::test::SweepFolder;
using stockout::test::with;

TEST_CASE("Shards of a sweep that has changed since are not merged as if they were of it", "[sweep]") {
  const SweepFolder folder;
  for (const char* shard : {"0/2", "1/2"})
    REQUIRE(folder.sweep("a.sqlite", {"--shard", shard}).code == ExitCode::done);
  const auto merge = [&] {
    return stockout_says({"sweep", "merge", folder.path("m.sqlite"), folder.path("a.shard-0-of-2.sqlite"),
                          folder.path("a.shard-1-of-2.sqlite"), "--sweep", folder.path("sweep.json")});
  };
  folder.write("sweep.json", with(kSmallSweep, "[1, 2]", "[1, 3]"));
  CHECK_THAT(merge().err, Contains("a.shard-0-of-2.sqlite: is not of ") &&
                              Contains("as it is now: the sweep file: line 7"));
  folder.write("sweep.json", kSmallSweep);
  folder.write("small.json", random_scenario() + "\n");
  CHECK_THAT(merge().err, Contains("as it is now: the scenario: "));
  CHECK(merge().code == ExitCode::bad_input);
  folder.write("small.json", random_scenario());
  CHECK(merge().code == ExitCode::done);
  CHECK_THAT(folder.exported("m.sqlite"), Contains("done"));
}

TEST_CASE("What changed in a long line is shown by what is around it", "[sweep]") {
  const SweepFolder folder;
  const std::string name(300, 'x');
  folder.write("sweep.json", with(kSmallSweep, "small\"", name + "A\""));
  REQUIRE(folder.sweep("a.sqlite").code == ExitCode::done);
  folder.write("sweep.json", with(kSmallSweep, "small\"", name + "B\""));
  const std::string said = folder.sweep("a.sqlite", {"--resume"}).err;
  CHECK_THAT(said, Contains("xxA\",`, is `...x") && Contains("xxB\",`"));
}

TEST_CASE("Points of two catalogues are in no store, neither by going on nor by merging", "[sweep]") {
  const SweepFolder folder;
  const std::string data = STOCKOUT_SCENARIOS_DIR "/../models/catalog/data";
  REQUIRE(folder.sweep("first.sqlite", {"--shard", "0/2"}).code == ExitCode::done);
  const Answer resumed = folder.sweep("first.sqlite", {"--shard", "0/2", "--resume", "--catalog", data});
  CHECK(resumed.code == ExitCode::bad_input);
  CHECK_THAT(resumed.err, Contains("models/catalog/data/") && Contains(" is read now, and was not"));
  REQUIRE(folder.sweep("second.sqlite", {"--shard", "1/2", "--catalog", data}).code == ExitCode::done);
  const Answer merged =
      stockout_says({"sweep", "merge", folder.path("m.sqlite"), folder.path("first.shard-0-of-2.sqlite"),
                     folder.path("second.shard-1-of-2.sqlite")});
  CHECK(merged.code == ExitCode::bad_input);
  CHECK_THAT(merged.err, Contains("was made with another catalogue than"));
}
