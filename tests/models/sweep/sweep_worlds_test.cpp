// A sweep over worlds that agree with a history: replications take turns, and a round is one observation.

#include <fstream>

#include <fmt/format.h>

#include "models/experiment/run_observer.h"
#include "models/scenario/scenario.h"
#include "sim/stats/interval.h"
#include "tests/support/made_up/sweep_folder.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

constexpr const char* kPriceSweep = R"({
 "name": "prices",
 "scenario": "small.json",
 "replications": 6,
 "vary": {"grid": [
  {"at": "/prices/0/usd_per_hour", "name": "price", "values": [10, 20, 30]},
  {"at": "/seed", "values": [1, 2]}]}
})";

// The pool has 3 GPUs in a world with two turns of three, and 6 in the other.
std::string worlds_text(int small = 3, const std::string& in = "pool \\\"zone\\\"") {
  return fmt::format(
      R"({{"layout": "stockout worlds 2", "stockout": "0.1.0", "scenario": "small", "observed": "waits.csv",
 "strategy": "first", "runs": 400, "typical": "world 1", "unknown": [{{"name": "GPUs", "prior": "3 to 6",
 "median": "3", "low": "3", "high": "6", "provenance": "fitted",
 "places": [{{"at": "/pools/0/gpus", "in": "{}"}}]}}],
 "worlds": [{{"name": "world 1", "weight": 2, "set": {{"/pools/0/gpus": {}}}}},
            {{"name": "world 2", "weight": 1, "set": {{"/pools/0/gpus": 6}}}}]}})",
      in, small);
}

class WorldsFolder : public SweepFolder {
 public:
  WorldsFolder() {
    write("sweep.json", kPriceSweep);
    write("w.json", worlds_text());
  }
  [[nodiscard]] Answer over_worlds(const std::string& store, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--worlds", path("w.json"), "--most-worlds", "3"});
    return sweep(store, std::move(more));
  }
  [[nodiscard]] double value(const std::string& store, const std::string& query) const {
    SQLite::Database database{path(store), SQLite::OPEN_READONLY};
    return database.execAndGet(query).getDouble();
  }
};

double cost_with(const SweepFolder& folder, int gpus, std::uint64_t replication) {
  const Scenario scenario = load_scenario(
      folder.path("small.json"), {.overrides = {{.pointer = "/pools/0/gpus", .value = std::to_string(gpus)},
                                                {.pointer = "/prices/0/usd_per_hour", .value = "20"}},
                                  .catalog_dir = {},
                                  .seed = 2,
                                  .replications = {}});
  return observe_run(scenario.world, {.strategy = 0, .replication = replication}, {}, {})
      .total[Measure::cost]
      .value;
}

}  // namespace

TEST_CASE("Replications of a point take turns through the worlds, and a round is one observation",
          "[sweep][worlds]") {
  const WorldsFolder folder;
  const Answer answer = folder.over_worlds("s.sqlite");
  INFO(answer.err);
  REQUIRE(answer.code == ExitCode::done);
  CHECK_THAT(answer.out, Contains("6 points done, 0 left") &&
                             Contains("Each point is over 2 worlds that agree with waits.csv"));
  std::vector<double> rounds;
  for (std::uint64_t round = 0; round < 2; ++round) {
    const double usd = cost_with(folder, 3, 3 * round) + cost_with(folder, 3, 3 * round + 1) +
                       cost_with(folder, 6, 3 * round + 2);
    rounds.push_back(usd / 3);
  }
  const Estimate expected = estimate(rounds);
  REQUIRE(expected.half_width.value_or(0) > 0);
  const std::string where = " FROM wide WHERE price = 20 AND seed = 2";
  CHECK(folder.value("s.sqlite", "SELECT cost_usd" + where) == Approx(expected.mean));
  CHECK(folder.value("s.sqlite", "SELECT cost_usd_plus_minus FROM results WHERE point = 3") ==
        Approx(*expected.half_width));
  CHECK(folder.number("s.sqlite", "SELECT replications" + where) == 6);
}

TEST_CASE("A store keeps its worlds, and which of them a replication was in", "[sweep][worlds]") {
  const WorldsFolder folder;
  REQUIRE(folder.over_worlds("s.sqlite").code == ExitCode::done);
  CHECK(folder.number("s.sqlite", "SELECT count(*) FROM worlds") == 2);
  CHECK(folder.number("s.sqlite",
                      "SELECT count(*) FROM worlds WHERE place = 1 AND name = 'world 1' AND turns "
                      "= 2 AND weight > 0.66 AND changes = '{\"/pools/0/gpus\": 3}'") == 1);
  CHECK(folder.number("s.sqlite", "SELECT group_concat(world, '') FROM turns") == 112);
  CHECK(folder.number("s.sqlite", "SELECT worlds_agreement = 'agree with waits.csv' FROM sweep") == 1);
  const Answer exported = stockout_says({"sweep", "export", folder.path("s.sqlite")});
  CHECK_THAT(exported.err, Contains("each row is over 2 worlds that agree with waits.csv"));
  REQUIRE(stockout_says({"report", folder.path("s.sqlite")}).code == ExitCode::done);
  std::ifstream page{folder.path("s.html")};
  const std::string text{std::istreambuf_iterator<char>{page}, {}};
  CHECK_THAT(text,
             Contains("Every number is over 2 worlds that agree with waits.csv, each by its weight: they "
                      "take turns, 3 replications in a round."));
}

TEST_CASE("Over worlds an export depends on no thread, shard or interruption", "[sweep][worlds]") {
  const WorldsFolder folder;
  REQUIRE(folder.over_worlds("one.sqlite", {"--threads", "1"}).code == ExitCode::done);
  REQUIRE(folder.over_worlds("two.sqlite", {"--threads", "2"}).code == ExitCode::done);
  const std::string whole = folder.exported("one.sqlite");
  CHECK(lines_in(whole) == 7);
  CHECK(folder.exported("two.sqlite") == whole);
  std::vector<std::string> merge{"sweep", "merge", folder.path("merged.sqlite")};
  for (const int shard : {1, 0}) {
    REQUIRE(folder.over_worlds("part.sqlite", {"--shard", fmt::format("{}/2", shard)}).code ==
            ExitCode::done);
    merge.push_back(folder.path(fmt::format("part.shard-{}-of-2.sqlite", shard)));
  }
  CHECK_THAT(folder.over_worlds("part.sqlite", {"--shard", "0/2", "--resume"}).out,
             Contains("3 points were done before. 0 points done"));
  REQUIRE(stockout_says(merge).code == ExitCode::done);
  CHECK(folder.exported("merged.sqlite") == whole);
  CHECK(folder.number("merged.sqlite", "SELECT group_concat(world, '') FROM turns") == 112);
  // Held against the sweep as it is now, worlds included.
  merge[2] = folder.path("again.sqlite");
  merge.insert(merge.end(), {"--sweep", folder.path("sweep.json")});
  CHECK_THAT(stockout_says(merge).err,
             Contains("is not of") && Contains("there were 2 worlds, now there are no worlds"));
  merge.insert(merge.end(), {"--worlds", folder.path("w.json"), "--most-worlds", "3"});
  CHECK(stockout_says(merge).code == ExitCode::done);
}

TEST_CASE("One world that is as written is a sweep without worlds", "[sweep][worlds]") {
  const WorldsFolder folder;
  folder.write("w.json", worlds_text(8));
  REQUIRE(folder.sweep("one.sqlite", {"--worlds", folder.path("w.json"), "--most-worlds", "1"}).code ==
          ExitCode::done);
  REQUIRE(folder.sweep("none.sqlite").code == ExitCode::done);
  CHECK(folder.number("one.sqlite", "SELECT count(*) FROM worlds") == 1);
  CHECK(folder.exported("one.sqlite") == folder.exported("none.sqlite"));
}

TEST_CASE("A store is gone on with over the same worlds only", "[sweep][worlds]") {
  const WorldsFolder folder;
  const auto refusal = [](const Answer& answer) {
    CHECK(answer.code == ExitCode::bad_input);
    return answer.err;
  };
  REQUIRE(folder.over_worlds("s.sqlite").code == ExitCode::done);
  CHECK_THAT(
      refusal(folder.sweep("s.sqlite", {"--resume"})),
      Contains("was begun with something else: --worlds: there were 2 worlds, now there are no worlds"));
  REQUIRE(folder.sweep("none.sqlite").code == ExitCode::done);
  CHECK_THAT(refusal(folder.over_worlds("none.sqlite", {"--resume"})),
             Contains("--worlds: there were no worlds, now there are 2 worlds"));
  folder.write("w.json", worlds_text(4));
  CHECK_THAT(refusal(folder.over_worlds("s.sqlite", {"--resume"})),
             Contains("--worlds: world 1: line 1 was `") && Contains("{\"/pools/0/gpus\": 4}`"));
}

TEST_CASE("What a sweep over worlds cannot be is an error, and nothing is begun", "[sweep][worlds]") {
  const WorldsFolder folder;
  const auto [sweep, worlds, message] = GENERATE(table<std::string, std::string, std::string>({
      {with(kPriceSweep, "\"replications\": 6", "\"replications\": 7"), worlds_text(),
       "small.json: /replications: 7 replications are not whole rounds: the 2 worlds of"},
      {with(kPriceSweep, "\"replications\": 6", "\"replications\": 7"), worlds_text(),
       "take turns, 3 in a round. The next number that works is 9"},
      {with(with(kPriceSweep, "\"replications\": 6,", ""), R"("at": "/seed", "values": [1, 2])",
            R"("at": "/replications", "name": "runs", "values": [3, 4])"),
       worlds_text(), "4 replications are not whole rounds"},
      {with(kPriceSweep, R"("at": "/seed", "values": [1, 2])", R"("at": "/pools/0/gpus", "values": [3, 6])"),
       worlds_text(), "is what the worlds of"},
      {with(kPriceSweep, R"("at": "/seed", "values": [1, 2])", R"("at": "/pools/0/name", "values": ["a"])"),
       worlds_text(), "says what /pools/0/gpus is of, and the worlds of"},
      {kPriceSweep, worlds_text(3, "pool \\\"east\\\""),
       "the worlds were calibrated for pool \"east\" at /pools/0/gpus, but in"},
      {kPriceSweep, worlds_text(0), "\"world 1\""},
  }));
  folder.write("sweep.json", sweep);
  folder.write("w.json", worlds);
  const Answer answer = folder.over_worlds("s.sqlite");
  CAPTURE(answer.out);
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains(message));
  CHECK_FALSE(std::ifstream{folder.path("s.sqlite")}.good());
}

TEST_CASE("Worlds do not go with a precision", "[sweep][worlds]") {
  const WorldsFolder folder;
  folder.write("small.json",
               with(random_scenario(), "\"window\": \"2d\",",
                    R"("window": "2d", "precision": {"half_width": 10, "most": 40, "of": ["jobs"]},)"));
  folder.write("sweep.json", with(kPriceSweep, "\"replications\": 6,", ""));
  const Answer answer = folder.over_worlds("s.sqlite");
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains("/precision: worlds take turns over a given number of replications"));
}

TEST_CASE("One round of worlds says nothing of chance", "[sweep][worlds]") {
  const WorldsFolder folder;
  folder.write("small.json", with(random_scenario(), R"({"name": "first", "legs": [{"model": "on_demand"}]})",
                                  R"({"name": "first", "legs": [{"model": "on_demand"}]},
                       {"name": "held", "legs": [{"model": "reservation", "reservation": "held"}]})"));
  const auto sure_of = [&](const std::string& replications) {
    folder.write("sweep.json", with(kPriceSweep, "\"replications\": 6", "\"replications\": " + replications));
    const std::string store = replications + ".sqlite";
    REQUIRE(folder.over_worlds(store).code == ExitCode::done);
    REQUIRE(stockout_says({"report", folder.path(store)}).code == ExitCode::done);
    std::ifstream page{folder.path(replications + ".html")};
    return std::string{std::istreambuf_iterator<char>{page}, {}};
  };
  CHECK_THAT(sure_of("3"), Contains("Chance: at 0 of the 6 points"));
  CHECK_THAT(sure_of("60"), Contains("Chance: at 6 of the 6 points"));
}
