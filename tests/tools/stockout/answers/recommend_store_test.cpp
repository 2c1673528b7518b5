// `recommend --store`: what was simulated is not simulated again, and the answer is the same.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "models/sweep/store_file.h"
#include "tests/support/made_up/purchase_question.h"
#include "tests/support/made_up/store_folder.h"
#include "tests/support/made_up/sweep_folder.h"

using namespace stockout;
using namespace stockout::test;
namespace fs = std::filesystem;
using Catch::Contains;

namespace {

class Advice : public StoreFolder {
 public:
  Advice() : StoreFolder{"r.sqlite"} { write("s.json", kHowMany); }

  [[nodiscard]] Answer recommend(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"recommend", path("s.json"), "--format",         "json",
                                       "--report",  path("p.html"), "--write-scenario", path("w.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return stockout_says(arguments);
  }
  [[nodiscard]] Answer stored(std::vector<std::string> more = {},
                              const std::string& name = "r.sqlite") const {
    more.insert(more.begin(), {"--store", path(name)});
    return recommend(more);
  }
  [[nodiscard]] std::string refusal(std::vector<std::string> more = {"--resume"},
                                    const std::string& name = "r.sqlite") const {
    return refusal_of(stored(std::move(more), name));
  }
  [[nodiscard]] std::int64_t runs() const { return rows("runs"); }
};

constexpr const char* kTwoWorlds = R"({"layout": "stockout worlds 2", "stockout": "0.1.0",
 "scenario": "how many to reserve", "observed": "h.csv", "strategy": "on-demand", "runs": 400,
 "typical": "world 1", "unknown": [{"name": "load", "prior": "0.5 to 1", "median": "0.7", "low": "0.6",
 "high": "0.9", "provenance": "fitted", "places": [{"at": "/pools/0/tenants/load", "in": "pool \"zone\""}]}],
 "worlds": [{"name": "world 1", "weight": 0.5, "set": {"/pools/0/tenants/load": 0.6}},
            {"name": "world 2", "weight": 0.5, "set": {"/pools/0/tenants/load": 0.9}}]})";

}  // namespace

TEST_CASE("A recommendation that lost some of its runs gives the same bits", "[recommend][kept]") {
  const Advice folder;
  const Answer plain = folder.recommend({"--threads", "1"});
  INFO(plain.err);
  REQUIRE(plain.code == ExitCode::done);
  const std::string winner = folder.text("w.json");
  REQUIRE(plain.out.size() > 1'000);
  std::int64_t runs = 0;
  const auto same = [&](const Answer& answer) {
    CHECK(answer.code == ExitCode::done);
    CHECK(answer.out == plain.out);
    CHECK(folder.text("w.json") == winner);
    if (runs == 0) runs = folder.runs();
    CHECK(folder.runs() == runs);
    return answer.err;
  };
  CHECK(same(folder.stored()).empty());
  REQUIRE(runs > 40);
  const std::string page = folder.text("p.html");
  folder.change("DELETE FROM runs WHERE (purchase + replication) % 3 = 1 OR replication > 7");
  const std::int64_t left = folder.runs();
  REQUIRE(left > 10);
  REQUIRE(left < runs);
  CHECK_THAT(same(folder.stored({"--resume", "--threads", "2"})),
             Contains(fmt::format("note: {} runs were kept before", left)));
  folder.change("DELETE FROM runs");
  same(folder.stored({"--resume"}));
  CHECK(same(folder.stored({"--resume"})) == fmt::format("stockout: note: {} runs were kept before\n", runs));
  CHECK(folder.text("p.html") == page);
  CHECK_THAT(page, Contains("--report") && !Contains("--store") && !Contains("--resume"));
}

TEST_CASE("What is kept are the runs: another certainty is answered from them",
          "[recommend][kept][evidence]") {
  const Advice folder;
  REQUIRE(folder.stored().code == ExitCode::done);
  for (const std::vector<std::string>& rules :
       {std::vector<std::string>{"--confidence", "80"}, std::vector<std::string>{"--indifference", "2000"},
        std::vector<std::string>{"--most-obligation", "none"}}) {
    const Answer plain = folder.recommend(rules);
    std::vector<std::string> more{"--resume"};
    more.insert(more.end(), rules.begin(), rules.end());
    CHECK(folder.stored(more).out == plain.out);
  }
}

TEST_CASE("Runs in worlds are kept with their world", "[recommend][kept]") {
  const Advice folder;
  folder.write("worlds.json", kTwoWorlds);
  const std::vector<std::string> worlds{"--worlds", folder.path("worlds.json"), "--indifference", "4000"};
  const Answer plain = folder.recommend(worlds);
  INFO(plain.err);
  REQUIRE(plain.out.size() > 1'000);
  CHECK(folder.stored(worlds).out == plain.out);
  folder.change("DELETE FROM runs WHERE replication % 2 = 1");
  std::vector<std::string> resumed = worlds;
  resumed.emplace_back("--resume");
  CHECK(folder.stored(resumed).out == plain.out);
  folder.change("UPDATE runs SET world = 'world 7'");
  CHECK_THAT(folder.refusal(resumed), Contains("it is not what was written"));
  fs::remove(folder.path("r.sqlite"));
  REQUIRE(folder.stored(worlds).out == plain.out);
  CHECK_THAT(folder.refusal({"--resume"}), Contains("--most-worlds was 20, is not given"));
  folder.write("worlds.json",
               std::string{kTwoWorlds}.replace(std::string{kTwoWorlds}.find("0.6}"), 4, "0.7}"));
  CHECK_THAT(folder.refusal(resumed), Contains("was begun with another worlds.json"));
}

TEST_CASE("A recommendation is gone on with by the same alone", "[recommend][kept]") {
  const Advice folder;
  REQUIRE(folder.stored().code == ExitCode::done);
  fs::remove(folder.path("w.json"));
  fs::remove(folder.path("p.html"));
  CHECK_THAT(folder.refusal({}), Contains("r.sqlite: is there already: --resume goes on with it"));
  CHECK_THAT(folder.refusal({"--resume", "--seed", "7"}), Contains("the seed was 5, is 7"));
  CHECK_THAT(folder.refusal({"--resume", "--set", "/pools/0/hosts=9"}),
             Contains("--set was not given, is /pools/0/hosts=9"));
  folder.write("own.json",
               R"({"prices": [{"machine": "a3-highgpu-8g", "model": "on_demand", "usd_per_hour": 99}]})");
  CHECK_THAT(folder.refusal({"--resume", "--prices", folder.path("own.json")}),
             Contains("the files of --prices: "));
  folder.write("s.json", with(kHowMany, "\"per_day\": 8", "\"per_day\": 9"));
  CHECK_THAT(folder.refusal(), Contains("the scenario: line 8 was") && Contains("Put that back to go on"));
  folder.write("s.json", kHowMany);
  CHECK_FALSE(fs::exists(folder.path("w.json")));
  CHECK_FALSE(fs::exists(folder.path("p.html")));
  CHECK(folder.stored({"--resume"}).code == ExitCode::done);
  CHECK_THAT(folder.refusal({}, "p.html"), Contains("--store"));
}

TEST_CASE("What is no store of a recommendation is refused, and left as it is", "[recommend][kept]") {
  const Advice folder;
  const SweepFolder sweep;
  REQUIRE(sweep.sweep("s.sqlite").code == ExitCode::done);
  fs::copy_file(sweep.path("s.sqlite"), folder.path("sweep.sqlite"));
  CHECK_THAT(folder.refusal({"--resume"}, "sweep.sqlite"),
             Contains("is a store of a sweep, and no store of a recommendation: `stockout recommend"));
  CHECK(folder.text("sweep.sqlite").size() == fs::file_size(sweep.path("s.sqlite")));
  folder.write("text.sqlite", "precious");
  CHECK_THAT(folder.refusal({"--resume"}, "text.sqlite"), Contains("is no store of a recommendation"));
  CHECK(folder.text("text.sqlite") == "precious");
  REQUIRE(folder.stored().code == ExitCode::done);
  CHECK_THAT(
      sweep
          .sweep("../" + fs::path{folder.path("r.sqlite")}.parent_path().filename().string() + "/r.sqlite",
                 {"--resume"})
          .err,
      Contains("is a store of a recommendation, and no store of a sweep"));
  CHECK_THAT(stockout_says({"report", folder.path("r.sqlite")}).err,
             Contains("is neither the store of a sweep"));
  fs::resize_file(folder.path("r.sqlite"), fs::file_size(folder.path("r.sqlite")) / 2);
  CHECK_THAT(folder.refusal(), Contains("is damaged"));
}

TEST_CASE("A store of a recommendation that was changed is refused", "[recommend][kept]") {
  const Advice folder;
  REQUIRE(folder.stored().code == ExitCode::done);
  fs::copy_file(folder.path("r.sqlite"), folder.path("whole.sqlite"));
  const auto refusal = [&](const std::string& change) {
    fs::copy_file(folder.path("whole.sqlite"), folder.path("r.sqlite"), fs::copy_options::overwrite_existing);
    folder.change("UPDATE runs SET " + change + " WHERE purchase = 0 AND replication = 0");
    return folder.refusal();
  };
  const char* unlike_written = "row 1 of its table runs: it is not what was written";
  CHECK_THAT(refusal("cost_usd = cost_usd + 0.25"), Contains(unlike_written));
  CHECK_THAT(refusal("cost_usd = 'dear'"), Contains(unlike_written));
  CHECK_THAT(refusal("cost_usd = NULL"), Contains(unlike_written));  // as SQLite has NaN
  CHECK_THAT(refusal("cost_usd = 9e999"), Contains(unlike_written));
  CHECK_THAT(refusal("undone_gpu_h = 'x'"), Contains(unlike_written));
  CHECK_THAT(refusal("undone_gpu_h = 9e999"), Contains(unlike_written));
  CHECK_THAT(refusal("drew = 7"), Contains("drew must be"));
  CHECK_THAT(refusal("goals_met = '[1'"), Contains("goals_met must be a list of numbers"));
  CHECK_THAT(refusal("goals_met = '[1]'"), Contains(unlike_written));
  CHECK_THAT(refusal("lower_bounds = '[99]'"), Contains(unlike_written));
  CHECK_THAT(refusal("replication = -1"), Contains("replication must be"));
  CHECK_THAT(refusal("way = 'free'"), Contains(unlike_written));
}

TEST_CASE("A store is of one advice, and not of a history", "[recommend][kept]") {
  const Advice folder;
  folder.write("jobs.csv", "submit,duration,gpus\n0,60,1\n");
  const Answer answer =
      stockout_says({"recommend", folder.path("s.json"), "--observed", folder.path("jobs.csv"), "--split",
                     "0.5", "--store", folder.path("r.sqlite")});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains("--store: cannot be combined with --observed"));
  CHECK_FALSE(fs::exists(folder.path("r.sqlite")));
}
