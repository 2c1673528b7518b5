// What goes wrong with a sweep: points that fail, stores that are changed, damaged or not what they should
// be.

#include <atomic>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "sim/core/check.h"
#include "tests/support/made_up/sweep_folder.h"

using namespace stockout;
using namespace stockout::test;
namespace fs = std::filesystem;
using Catch::Contains;

TEST_CASE("A store is not resumed with anything else than it was begun with", "[sweep]") {
  const SweepFolder folder;
  REQUIRE(folder.sweep("s.sqlite").code == ExitCode::done);
  const std::string before = folder.exported("s.sqlite");
  const auto refusal = [&] {
    const Answer answer = folder.sweep("s.sqlite", {"--resume"});
    CHECK(answer.code == ExitCode::bad_input);
    return answer.err;
  };
  folder.write("sweep.json", with(kSmallSweep, "\"replications\": 2", "\"replications\": 3"));
  CHECK_THAT(refusal(), Contains("the sweep file: line 4 was `") && Contains("is ` \"replications\": 3,`"));
  folder.write("sweep.json", kSmallSweep);
  folder.write("small.json", with(random_scenario(), "\"2d\"", "\"3d\""));
  CHECK_THAT(refusal(),
             Contains("the scenario: line 4 was ` \"window\": \"2d\",`, is ` \"window\": \"3d\",`"));
  folder.write("small.json", random_scenario());
  CHECK(folder.sweep("s.sqlite", {"--resume"}).code == ExitCode::done);
  CHECK(folder.exported("s.sqlite") == before);
}

TEST_CASE("A trace that has changed under a store is reported", "[sweep]") {
  const SweepFolder folder;
  folder.write("jobs.csv", "submit,duration,gpus\n0,3600,1\n7200,3600,2\n");
  folder.write("small.json",
               with(random_scenario(), R"("poisson": {"per_day": 40}, "machine": "generic", "work": "1h")",
                    R"("trace": {"file": "jobs.csv", "format": "csv"}, "machine": "generic")"));
  const Answer answer = folder.sweep("s.sqlite");
  INFO(answer.err);
  REQUIRE(answer.code == ExitCode::done);
  folder.write("jobs.csv", "submit,duration,gpus\n0,3600,1\n7200,3600,1\n");
  const Answer refused = folder.sweep("s.sqlite", {"--resume"});
  CHECK(refused.code == ExitCode::bad_input);
  CHECK_THAT(refused.err, Contains("was begun with another jobs.csv"));
}

TEST_CASE("A point that is refused is marked, and the others go on", "[sweep]") {
  const SweepFolder folder;
  folder.write("sweep.json",
               with(kSmallSweep, R"({"at": "/seed", "values": [1, 2]})",
                    R"({"at": "/pools/0/place", "name": "place", "values": ["generic", "atlantis"]})"));
  const Answer answer = folder.sweep("s.sqlite");
  CHECK(answer.code == ExitCode::not_as_asked);
  CHECK_THAT(answer.out,
             Contains("10 points done, 0 left; 5 of all failed") && Contains("select * from failed"));
  CHECK(folder.number("s.sqlite",
                      "SELECT count(*) FROM failed WHERE error LIKE '%atlantis%' AND place = 'atlantis'") ==
        5);
  CHECK(folder.number("s.sqlite", "SELECT count(*) FROM wide") == 5);
  const std::string exported = folder.exported("s.sqlite");
  CHECK(lines_in(exported) == 11);
  CHECK_THAT(exported, Contains("\n1,failed,") &&
                           Contains("sweep.json:7: /vary/grid/1: /pools/0/place: there is no zone"));
  CHECK_THAT(exported, !Contains(folder.path("sweep.json")));
  CHECK(folder.sweep("s.sqlite", {"--resume"}).code == ExitCode::not_as_asked);  // and it is not tried again
  CHECK(folder.exported("s.sqlite") == exported);
}

TEST_CASE("A file that is no store, or a damaged one, is reported as such", "[sweep]") {
  const SweepFolder folder;
  const auto refusal = [&](const std::string& store) {
    const Answer answer = folder.sweep(store, {"--resume"});
    CHECK(answer.code == ExitCode::bad_input);
    const Answer exported = stockout_says({"sweep", "export", folder.path(store)});
    CHECK(exported.code == ExitCode::bad_input);
    CHECK(exported.out.empty());
    return answer.err;
  };
  folder.write("text.sqlite", std::string(10'000, 'x'));
  CHECK_THAT(refusal("text.sqlite"), Contains("is no store of a sweep"));
  {
    SQLite::Database{folder.path("other.sqlite"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE}.exec(
        "CREATE TABLE t (a)");
  }
  CHECK_THAT(refusal("other.sqlite"), Contains("is a database, but no store of a sweep"));
  fs::create_directory(folder.path("folder.sqlite"));
  CHECK_THAT(refusal("folder.sqlite"), Contains("is no file that a store can be"));

  REQUIRE(folder.sweep("s.sqlite").code == ExitCode::done);
  fs::copy_file(folder.path("s.sqlite"), folder.path("newer.sqlite"));
  SQLite::Database{folder.path("newer.sqlite"), SQLite::OPEN_READWRITE}.exec("PRAGMA user_version = 99");
  CHECK_THAT(refusal("newer.sqlite"), Contains("is a store of a sweep of layout 99"));
  for (const char* change : {"points = -1", "shards = 0", "shard = 7", "points = 100000000"}) {
    fs::copy_file(folder.path("s.sqlite"), folder.path("head.sqlite"), fs::copy_options::overwrite_existing);
    SQLite::Database{folder.path("head.sqlite"), SQLite::OPEN_READWRITE}.exec(
        fmt::format("UPDATE sweep SET {}", change));
    CHECK_THAT(refusal("head.sqlite"), Contains("is damaged"));
  }
  const auto size = fs::file_size(folder.path("s.sqlite"));
  fs::copy_file(folder.path("s.sqlite"), folder.path("cut.sqlite"));
  fs::resize_file(folder.path("cut.sqlite"), size / 2);
  CHECK_THAT(refusal("cut.sqlite"), Contains("is damaged"));
  fs::copy_file(folder.path("s.sqlite"), folder.path("bad.sqlite"));
  std::fstream bad{folder.path("bad.sqlite"), std::ios::in | std::ios::out | std::ios::binary};
  bad.seekp(static_cast<std::streamoff>(size) / 4096 / 2 * 4096);
  bad << std::string(4'096, '\xff') << std::flush;
  CHECK_THAT(refusal("bad.sqlite"), Contains("is damaged"));
  CHECK_THAT(stockout_says({"sweep", "export", folder.path("none.sqlite")}).err, Contains("is not there"));
  CHECK_FALSE(fs::exists(folder.path("none.sqlite")));
}

TEST_CASE("An export does not overwrite its store", "[sweep]") {
  const SweepFolder folder;
  REQUIRE(folder.sweep("s.sqlite").code == ExitCode::done);
  const std::string store = folder.path("s.sqlite");
  const Answer answer = stockout_says({"sweep", "export", store, "--output", store});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains("is read by this command"));
  CHECK(folder.exported("s.sqlite").size() > 1'000);
}

TEST_CASE("Stores that are not the shards of one sweep are not merged", "[sweep]") {
  const SweepFolder folder;
  for (const char* shard : {"0/3", "1/3", "2/3"})
    REQUIRE(folder.sweep("a.sqlite", {"--shard", shard}).code == ExitCode::done);
  const auto shard = [&](int i) { return folder.path(fmt::format("a.shard-{}-of-3.sqlite", i)); };
  const auto merge = [&](std::vector<std::string> stores) {
    stores.insert(stores.begin(), {"sweep", "merge", folder.path("m.sqlite")});
    const Answer answer = stockout_says(stores);
    CHECK(answer.code == ExitCode::bad_input);
    CHECK_FALSE(fs::exists(folder.path("m.sqlite")));
    return answer.err;
  };
  CHECK_THAT(merge({shard(1)}), Contains("2 of 3 shards are missing: 0, 2"));
  CHECK_THAT(merge({shard(0), shard(1), shard(2), shard(1)}), Contains("holds shard 1, and so does"));
  CHECK_THAT(merge({shard(0), folder.path("none.sqlite")}), Contains("is not there"));
  folder.write("sweep.json", with(kSmallSweep, "\"replications\": 2", "\"replications\": 3"));
  REQUIRE(folder.sweep("b.sqlite", {"--shard", "2/3"}).code == ExitCode::done);
  CHECK_THAT(merge({shard(0), shard(1), folder.path("b.shard-2-of-3.sqlite")}),
             Contains("is of another sweep") && Contains("line 4"));
  SQLite::Database{shard(2), SQLite::OPEN_READWRITE}.exec(
      "DELETE FROM results WHERE point = 8; DELETE FROM points WHERE point = 8; DELETE FROM check_sums WHERE "
      "point = 8");
  CHECK_THAT(merge({shard(0), shard(1), shard(2)}),
             Contains("has 2 of its 3 points: finish it with --resume"));

  const Answer partial =
      stockout_says({"sweep", "merge", folder.path("m.sqlite"), shard(0), shard(2), "--partial"});
  CHECK(partial.code == ExitCode::done);
  CHECK_THAT(partial.out, Contains("6 of 10 points from 2 stores"));
  folder.write("sweep.json", kSmallSweep);
  CHECK_THAT(folder.sweep("m.sqlite", {"--resume"}).out,
             Contains("6 points were done before. 4 points done"));
  REQUIRE(folder.sweep("whole.sqlite").code == ExitCode::done);
  CHECK(folder.exported("m.sqlite") == folder.exported("whole.sqlite"));
  const Answer there = stockout_says({"sweep", "merge", folder.path("m.sqlite"), shard(0), "--partial"});
  CHECK_THAT(there.err, Contains("is there already"));
}

TEST_CASE("A scenario that is wrong by itself runs nothing", "[sweep]") {
  const SweepFolder folder;
  folder.write("small.json", with(random_scenario(), "\"place\": \"generic\", \"gpus\"",
                                  "\"place\": \"nowhere\", \"gpus\""));
  const Answer answer = folder.sweep("s.sqlite");
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains("small.json:11: /pools/0"));
  CHECK_FALSE(fs::exists(folder.path("s.sqlite")));
  CHECK_THAT(stockout_says({"sweep"}).err, Contains("SWEEP is missing"));
  CHECK_THAT(stockout_says({"sweep", folder.path("sweep.json")}).err, Contains("--store is missing"));
  CHECK_THAT(stockout_says({"sweep", "export", folder.path("s.sqlite"), "--format", "cvs"}).err,
             Contains("there is no format \"cvs\""));
}

namespace {

/// Outcome of a sweep of ten points if the simulation of some goes wrong.
SweepOutcome run_with(const SweepFolder& folder, const std::string& name,
                      const std::function<Comparison(const World&, const CompareOptions&)>& simulate) {
  const Sweep sweep = read_sweep(folder.path("sweep.json"));
  const Catalog catalog = Catalog::embedded();
  ScenarioCache cache;
  InputStamps inputs{sweep.folder()};
  SweepStore store{folder.path(name), sweep, {}, true, inputs};
  return run_sweep(sweep, catalog, cache, inputs, store,
                   {.shard = {},
                    .threads = 2,
                    .catalog = {InputStamps::built_in_catalog()},
                    .progress = {},
                    .simulate = simulate,
                    .interrupted = {}});
}

}  // namespace

TEST_CASE("A point that breaks an invariant is marked, and the others go on", "[sweep]") {
  const SweepFolder folder;
  std::atomic<int> points{0};
  const SweepOutcome outcome =
      run_with(folder, "s.sqlite", [&](const World& world, const CompareOptions& options) {
        if (++points == 3) throw InvariantError{"two leases of one\nmachine"};
        return compare(world, options);
      });
  CHECK(outcome.done == 10);
  CHECK(outcome.left == 0);
  CHECK(folder.number(
            "s.sqlite",
            "SELECT count(*) FROM failed WHERE error LIKE 'internal error%two leases of one machine'") == 1);
  CHECK(folder.number("s.sqlite", "SELECT count(*) FROM wide") == 9);
}

TEST_CASE("A point that comes to too many steps is marked, whatever the threads, and the others go on",
          "[sweep]") {
  const SweepFolder folder;
  folder.write("small.json", with(random_scenario(), R"("strategies": [)",
                                  R"("strategies": [{"name": "spot", "legs": [{"model": "spot"}]},)"));
  for (const int threads : {1, 2}) {
    CAPTURE(threads);
    const std::string store = fmt::format("s{}.sqlite", threads);
    const SweepOutcome outcome = run_with(folder, store, [&](const World& world, CompareOptions options) {
      World small = world;
      if (world.pools[0].capacity[0].steps[0].gpus == GpuCount{4}) small.most_steps = 50;
      options.threads = threads;
      return compare(small, options);
    });
    CHECK(outcome.done == 10);
    CHECK(folder.number(store,
                        "SELECT count(*) FROM failed WHERE error LIKE 'small.json: /strategies/0: \"spot\" "
                        "comes to 5e+01 steps%'") == 2);
    CHECK(folder.number(store, "SELECT count(DISTINCT point) FROM wide") == 8);
  }
}

TEST_CASE("A point that does not fit into memory is left out, and can be tried again", "[sweep]") {
  const SweepFolder folder;
  std::atomic<int> points{0};
  const SweepOutcome outcome =
      run_with(folder, "s.sqlite", [&](const World& world, const CompareOptions& options) {
        if (++points == 3) throw std::bad_alloc{};
        return compare(world, options);
      });
  CHECK(outcome.done == 9);
  CHECK(outcome.left == 1);
  CHECK(outcome.out_of_memory == 1);
  CHECK(folder.number("s.sqlite", "SELECT count(*) FROM points") == 9);
  CHECK(run_with(folder, "s.sqlite", compare).done == 1);
}

TEST_CASE("A store that cannot be written any more ends the sweep", "[sweep]") {
  const SweepFolder folder;
  std::atomic<int> points{0};
  CHECK_THROWS_WITH(
      run_with(folder, "s.sqlite",
               [&](const World& world, const CompareOptions& options) {
                 if (++points == 1) {
                   // It waits: another point may be in the middle of its transaction.
                   SQLite::Database other{folder.path("s.sqlite"), SQLite::OPEN_READWRITE, 60'000};
                   other.exec("DROP VIEW wide; DROP TABLE results");
                 }
                 return compare(world, options);
               }),
      Contains("s.sqlite: cannot be used"));
  CHECK(folder.number("s.sqlite", "SELECT count(*) FROM points") < 10);
}

TEST_CASE("A sweep whose store is lost says so", "[sweep]") {
  const SweepFolder folder;
  const auto lose = [&](const std::function<void(const std::string&)>& how) {
    std::atomic<int> points{0};
    fs::remove(folder.path("s.sqlite"));
    CHECK_THROWS_WITH(run_with(folder, "s.sqlite",
                               [&](const World& world, const CompareOptions& options) {
                                 if (++points == 1) how(folder.path("s.sqlite"));
                                 return compare(world, options);
                               }),
                      Contains("s.sqlite: was removed, moved or replaced while it was being written"));
  };
  lose([](const std::string& store) { fs::remove(store); });
  CHECK_FALSE(fs::exists(folder.path("s.sqlite")));
  lose([](const std::string& store) { fs::rename(store, store + ".moved"); });
  CHECK(folder.number("s.sqlite.moved", "SELECT count(*) FROM points") == 0);
  lose([](const std::string& store) {
    fs::copy_file(store, store + ".copy");
    fs::rename(store + ".copy", store);
  });
}

TEST_CASE("An interrupt leaves nothing of the point", "[sweep]") {
  const SweepFolder folder;
  std::atomic<bool> asked{false};
  const Sweep sweep = read_sweep(folder.path("sweep.json"));
  const Catalog catalog = Catalog::embedded();
  ScenarioCache cache;
  InputStamps inputs{sweep.folder()};
  SweepStore store{folder.path("s.sqlite"), sweep, {}, false, inputs};
  const SweepOutcome outcome = run_sweep(sweep, catalog, cache, inputs, store,
                                         {.shard = {},
                                          .threads = 1,
                                          .catalog = {},
                                          .progress = {},
                                          .simulate =
                                              [&](const World& world, const CompareOptions& options) {
                                                asked = true;
                                                return compare(world, options);
                                              },
                                          .interrupted = [&] { return asked.load(); }});
  CHECK(outcome.interrupted);
  CHECK(outcome.done == 0);
  CHECK(folder.number("s.sqlite", "SELECT count(*) FROM points") == 0);
}

TEST_CASE("A store whose beginning was cut off is begun anew", "[sweep]") {
  const SweepFolder folder;
  folder.write("s.sqlite", "");
  CHECK(folder.sweep("s.sqlite", {"--resume"}).code == ExitCode::done);

  // As SQLite leaves a first transaction that is killed while its pages are written: a database of no pages
  // before, says the journal.
  fs::copy_file(folder.path("s.sqlite"), folder.path("cut.sqlite"));
  {
    const std::string sector(512, '\0');
    std::string head{"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8};  // a journal
    head += std::string{
        "\0\0\0\0"
        "\0\0\0\1"
        "\0\0\0\0"
        "\0\0\2\0"
        "\0\0\x10\0",
        20};
    folder.write("cut.sqlite-journal", head + sector.substr(head.size()));
  }
  const Answer answer = folder.sweep("cut.sqlite", {"--resume"});
  INFO(answer.err);
  CHECK(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Contains("\n") && !Contains("done before"));
  CHECK(folder.exported("cut.sqlite") == folder.exported("s.sqlite"));
}
