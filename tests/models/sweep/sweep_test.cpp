// Sweeps as a user runs them: what is in the store, whatever the threads, shards and interruptions.

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "models/measures/measure_table.h"
#include "tests/support/made_up/sweep_folder.h"

using namespace stockout;
using namespace stockout::test;
namespace fs = std::filesystem;
using Catch::Contains;

TEST_CASE("A sweep's store holds every point, parameters and measures with their units", "[sweep]") {
  const SweepFolder folder;
  const Answer answer = folder.sweep("s.sqlite");
  INFO(answer.err);
  REQUIRE(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Contains("10 points done, 0 left; 0 of all failed"));
  CHECK(folder.number("s.sqlite", "SELECT count(*) FROM points WHERE state = 'done'") == 10);
  CHECK(folder.number("s.sqlite", "SELECT gpus FROM wide WHERE point = 9") == 6);
  CHECK(folder.number("s.sqlite", "SELECT seed FROM wide WHERE point = 9") == 2);
  CHECK(folder.number("s.sqlite", "SELECT count(*) FROM wide WHERE cost_usd > 0 AND jobs > 0") == 10);
  CHECK(folder.number("s.sqlite", "SELECT count(*) FROM wide WHERE cost_usd_plus_minus >= 0") == 10);
  CHECK(folder.number("s.sqlite", "SELECT count(wait_p95_h_is_lower_bound) FROM wide") == 10);
  CHECK(folder.number("s.sqlite", "SELECT count(*) FROM measures") == static_cast<std::int64_t>(kMeasures));
  CHECK(folder.number("s.sqlite", "SELECT count(*) FROM inputs WHERE name = 'small.json'") == 1);
  CHECK(folder.count() == 3);  // the sweep, its scenario, the store, and nothing that was needed on the way
}

TEST_CASE("A point of a sweep is the comparison of its scenario", "[sweep]") {
  const SweepFolder folder;
  REQUIRE(folder.sweep("s.sqlite").code == ExitCode::done);
  const Answer compared = stockout_says({"compare", folder.path("small.json"), "--replications", "2",
                                         "--seed", "2", "--set", "/pools/0/gpus=3", "--format", "csv"});
  REQUIRE(compared.code == ExitCode::done);
  const std::string header = compared.out.substr(0, compared.out.find('\n'));
  const std::string row = compared.out.substr(header.size() + 1);
  const std::string exported = folder.exported("s.sqlite");

  // Its columns are those of the comparison, behind the point's own, but for the last five: what compares
  // strategies, and the fingerprint, which a point has by itself.
  const auto measures_of = [](std::string line) {
    for (int i = 0; i < 5; ++i) line.resize(line.rfind(','));
    return line + '\n';
  };
  const std::string measures = measures_of(header.substr(header.find("replications,")));
  const std::string exported_header = exported.substr(0, exported.find('\n'));
  CHECK(exported_header + '\n' ==
        "point,state,error,fingerprint,goals,verdict,gpus,seed,strategy,rank,goals_missed,never_ran,drew," +
            measures);
  const std::size_t begin = row.find(",,,") + 3;
  const std::string values = measures_of(row.substr(begin, row.find('\n') - begin));
  CHECK_THAT(exported, Contains(",3,2,first,1,,,1," + values));
}

TEST_CASE("A sweep of a scenario that asks for a precision runs what that takes", "[sweep]") {
  const SweepFolder folder;
  folder.write("small.json",
               with(random_scenario(), "\"window\": \"2d\",",
                    R"("window": "2d", "precision": {"half_width": 10, "most": 40, "of": ["jobs"]},)"));
  folder.write("sweep.json", with(kSmallSweep, "\"replications\": 2,", ""));
  REQUIRE(folder.sweep("s.sqlite").code == ExitCode::done);
  const Answer compared = stockout_says(
      {"compare", folder.path("small.json"), "--seed", "2", "--set", "/pools/0/gpus=3", "--format", "json"});
  const std::string needle = "\"fingerprint\": \"";
  const std::string print = compared.out.substr(compared.out.find(needle) + needle.size(), 16);
  CHECK(folder.number("s.sqlite",
                      "SELECT count(*) FROM points WHERE point = 3 AND fingerprint = '" + print + "'") == 1);
  CHECK(folder.number("s.sqlite", "SELECT min(replications) FROM results") > 2);
}

TEST_CASE("What is exported depends on no thread, shard or interruption", "[sweep]") {
  const SweepFolder folder;
  REQUIRE(folder.sweep("one.sqlite", {"--threads", "1"}).code == ExitCode::done);
  REQUIRE(folder.sweep("two.sqlite", {"--threads", "2"}).code == ExitCode::done);
  const std::string whole = folder.exported("one.sqlite");
  CHECK(lines_in(whole) == 11);
  CHECK(folder.exported("two.sqlite") == whole);

  std::vector<std::string> merge{"sweep", "merge", folder.path("merged.sqlite")};
  for (const int shard : {2, 0, 3, 1}) {
    const Answer answer = folder.sweep("part.sqlite", {"--shard", fmt::format("{}/4", shard)});
    REQUIRE(answer.code == ExitCode::done);
    CHECK_THAT(answer.err, Contains(fmt::format("part.shard-{}-of-4.sqlite", shard)));
    merge.push_back(folder.path(fmt::format("part.shard-{}-of-4.sqlite", shard)));
  }
  const Answer merged = stockout_says(merge);
  INFO(merged.err);
  REQUIRE(merged.code == ExitCode::done);
  CHECK_THAT(merged.out, Contains("10 of 10 points from 4 stores, 0 of them failed"));
  CHECK(folder.exported("merged.sqlite") == whole);
  CHECK(folder.number("merged.sqlite", "SELECT count(*) FROM inputs") ==
        folder.number("one.sqlite", "SELECT count(*) FROM inputs"));
}

TEST_CASE("An interrupted sweep goes on, and repeats no point", "[sweep]") {
  const SweepFolder folder;
  const Sweep sweep = read_sweep(folder.path("sweep.json"));
  const Catalog catalog = Catalog::embedded();
  ScenarioCache cache;
  InputStamps inputs{sweep.folder()};
  std::atomic<int> simulated{0};
  {
    SweepStore store{folder.path("s.sqlite"), sweep, {}, false, inputs};
    const SweepOutcome outcome = run_sweep(sweep, catalog, cache, inputs, store,
                                           {.shard = {},
                                            .threads = 1,
                                            .catalog = {InputStamps::built_in_catalog()},
                                            .progress = {},
                                            .simulate =
                                                [&](const World& world, const CompareOptions& options) {
                                                  Comparison result = compare(world, options);
                                                  ++simulated;
                                                  return result;
                                                },
                                            .interrupted = [&] { return simulated == 4; }});
    CHECK(outcome.interrupted);
    CHECK(outcome.done == 4);
    CHECK(outcome.left == 6);
  }
  const Answer note = stockout_says({"sweep", "export", folder.path("s.sqlite")});
  CHECK_THAT(note.err, Contains("4 of 10 points done"));
  const Answer refused = folder.sweep("s.sqlite");
  CHECK(refused.code == ExitCode::bad_input);
  CHECK_THAT(refused.err, Contains("is there already: --resume goes on"));

  const Answer resumed = folder.sweep("s.sqlite", {"--resume"});
  INFO(resumed.err);
  CHECK(resumed.code == ExitCode::done);
  CHECK_THAT(resumed.out, Contains("4 points were done before. 6 points done, 0 left"));
  REQUIRE(folder.sweep("whole.sqlite", {"--resume"}).code == ExitCode::done);  // nothing there: begins
  CHECK(folder.exported("s.sqlite") == folder.exported("whole.sqlite"));
  CHECK_THAT(folder.sweep("s.sqlite", {"--resume"}).out,
             Contains("10 points were done before. 0 points done"));
}

TEST_CASE("The environment of an array's task says which shard", "[sweep]") {
  const SweepFolder folder;
  ::setenv("JOB_COMPLETION_INDEX", "1", 1);
  const Answer answer = folder.sweep("s.sqlite", {"--shards", "2"});
  const Answer unsaid = folder.sweep("s.sqlite");
  ::unsetenv("JOB_COMPLETION_INDEX");
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(answer.err, Contains("shard 1 of 2 (from JOB_COMPLETION_INDEX)"));
  CHECK(folder.number("s.shard-1-of-2.sqlite", "SELECT count(*) FROM points WHERE point % 2 = 1") == 5);
  CHECK_THAT(unsaid.err, Contains("say --shards"));
}

TEST_CASE("Points that share a trace share its columns", "[sweep]") {
  const SweepFolder folder;
  folder.write("jobs.csv", "submit,duration,gpus\n0,3600,1\n7200,3600,2\n");
  folder.write("small.json",
               with(random_scenario(), R"("poisson": {"per_day": 40}, "machine": "generic", "work": "1h")",
                    R"("trace": {"file": "jobs.csv", "format": "csv"}, "machine": "generic")"));
  const Sweep sweep = read_sweep(folder.path("sweep.json"));
  const Catalog catalog = Catalog::embedded();
  ScenarioCache cache;
  const auto jobs = [](const Scenario& scenario) {
    return std::get<TraceDemand>(scenario.world.sources.front().demand).jobs;
  };
  const Scenario first = point_scenario(sweep, 0, catalog, cache);
  folder.write("jobs.csv", "no trace at all");  // it is read once
  const Scenario second = point_scenario(sweep, 9, catalog, cache);
  CHECK(jobs(first)->size() == 2);
  CHECK(jobs(first) == jobs(second));
  CHECK(first.world.pools.size() == second.world.pools.size());
}
