// `calibrate --store`: what was simulated is not simulated again, and the answer is the same.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "models/kept/store_lock.h"
#include "tests/support/made_up/store_folder.h"

using namespace stockout;
using namespace stockout::test;
namespace fs = std::filesystem;
using Catch::Contains;

namespace {

std::string waits(int day_minutes = 30) {
  std::string text = "submit,start,end,outcome,gpus\n";
  for (int i = 0; i < 120; ++i) {
    const int submit = i * 3'600;
    const int start = submit + (i % 4) * day_minutes * 60;
    text += fmt::format("{},{},{},done,1\n", submit, start, start + 5'400);
  }
  return text;
}

constexpr const char* kQueue = R"({"name": "queue", "start": "2026-08-03", "prices_as_of": "2026-07-30",
 "prices": [{"machine": "generic", "usd_per_hour": 10}],
 "workload": [{"name": "jobs", "machine": "generic", "trace": {"file": "record.csv", "format": "csv"}}],
 "pools": [{"name": "zone", "family": "generic", "place": "generic", "gpus": 8, "discipline": "fifo"}],
 "models": {"all": {"start_up": "0s"}},
 "unknown": [{"name": "machines", "at": "/pools/0/gpus", "from": 1, "to": 12, "step": 1}],
 "strategies": [{"name": "queued", "legs": [{"model": "flex_start", "max_wait": "forever"}]},
                {"name": "at once", "legs": [{"model": "on_demand"}]}]})";

class Calibrations : public StoreFolder {
 public:
  Calibrations() : StoreFolder{"c.sqlite"} {
    write("record.csv", waits());
    write("s.json", kQueue);
  }

  [[nodiscard]] Answer calibrate(std::vector<std::string> more = {}, const std::string& strategy = "queued",
                                 const std::string& record = "record.csv") const {
    std::vector<std::string> arguments{"calibrate",
                                       path("s.json"),
                                       "--observed",
                                       path(record),
                                       "--strategy",
                                       strategy,
                                       "--runs",
                                       "400",
                                       "--format",
                                       "json",
                                       "--keep-unidentified",
                                       "--write-worlds",
                                       path("worlds.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return stockout_says(arguments);
  }
  [[nodiscard]] Answer stored(std::vector<std::string> more = {},
                              const std::string& name = "c.sqlite") const {
    more.insert(more.begin(), {"--store", path(name)});
    return calibrate(more);
  }
  [[nodiscard]] std::string refusal(std::vector<std::string> more = {"--resume"},
                                    const std::string& name = "c.sqlite") const {
    return refusal_of(stored(std::move(more), name));
  }
  [[nodiscard]] std::int64_t worlds() const { return rows("worlds"); }
};

}  // namespace

TEST_CASE("A calibration that lost some of its worlds gives the same bits", "[calibrate][kept][evidence]") {
  const Calibrations folder;
  const Answer plain = folder.calibrate({"--threads", "1"});
  INFO(plain.err);
  REQUIRE(plain.code == ExitCode::done);
  const std::string worlds = folder.text("worlds.json");
  REQUIRE(worlds.size() > 1'000);
  const auto same = [&](const Answer& answer) {
    CHECK(answer.code == ExitCode::done);
    CHECK(answer.out == plain.out);
    CHECK(folder.text("worlds.json") == worlds);
    CHECK(folder.worlds() == 400);
    return answer.err;
  };
  CHECK(same(folder.stored()).empty());
  folder.change("DELETE FROM worlds WHERE world % 3 = 1 OR world > 250");
  CHECK_THAT(same(folder.stored({"--resume", "--threads", "2"})),
             Contains("note: 167 worlds were kept before"));
  folder.change("DELETE FROM worlds");
  same(folder.stored({"--resume", "--threads", "1"}));
  // All of it is kept: nothing is simulated, whatever that would come to.
  CHECK_THAT(same(folder.stored({"--resume"})), Contains("note: 400 worlds were kept before"));
}

TEST_CASE("A calibration is gone on with by the same alone", "[calibrate][kept][evidence]") {
  const Calibrations folder;
  REQUIRE(folder.stored().code == ExitCode::done);
  fs::remove(folder.path("worlds.json"));
  CHECK_THAT(folder.refusal({}), Contains("c.sqlite: is there already: --resume goes on with it"));
  CHECK_THAT(folder.refusal({"--resume", "--seed", "7"}), Contains("the seed was ") && Contains(", is 7"));
  CHECK_THAT(folder.refusal({"--resume", "--set", "/pools/0/discipline=fifo"}),
             Contains("--set was not given, is "));
  folder.write("s.json",
               std::string{kQueue}.replace(std::string{kQueue}.find("\"to\": 12"), 8, "\"to\": 16"));
  CHECK_THAT(folder.refusal(), Contains("was begun with something else: the scenario: line 6 was"));
  folder.write("s.json", kQueue);
  folder.write("record.csv", waits(45));
  CHECK_THAT(folder.refusal(), Contains("was begun with another record.csv"));
  folder.write("record.csv", waits());
  folder.write("other.csv", waits());
  const Answer other =
      folder.calibrate({"--store", folder.path("c.sqlite"), "--resume"}, "queued", "other.csv");
  CHECK_THAT(other.err, Contains("other.csv is read now, and was not"));
  const Answer at_once = folder.calibrate({"--store", folder.path("c.sqlite"), "--resume"}, "at once");
  CHECK_THAT(at_once.err, Contains("--strategy was queued, is at once"));
  CHECK_FALSE(fs::exists(folder.path("worlds.json")));
  folder.change("UPDATE facts SET value = '0.0.0' WHERE what = 'stockout'");
  CHECK_THAT(folder.refusal(), Contains("its table facts is not what was written"));
}

TEST_CASE("A number of runs is that of the store", "[calibrate][kept][evidence]") {
  const Calibrations folder;
  REQUIRE(folder.stored().code == ExitCode::done);
  const Answer answer = stockout_says({"calibrate", folder.path("s.json"), "--observed",
                                       folder.path("record.csv"), "--strategy", "queued", "--runs", "500",
                                       "--store", folder.path("c.sqlite"), "--resume"});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains("--runs was 400, is 500"));
}

TEST_CASE("What is no store of a calibration is refused, and left as it is", "[calibrate][kept]") {
  const Calibrations folder;
  folder.write("text.sqlite", "precious");
  CHECK_THAT(folder.refusal({"--resume"}, "text.sqlite"),
             Contains("is no store of a calibration: `stockout calibrate"));
  CHECK(folder.text("text.sqlite") == "precious");
  CHECK_THAT(folder.refusal({}, "text.sqlite"), Contains("is there already"));
  fs::create_directory(folder.path("folder.sqlite"));
  CHECK_THAT(folder.refusal({"--resume"}, "folder.sqlite"), Contains("is no file that a store can be"));
  CHECK_THAT(folder.refusal({"--resume"}, "none/c.sqlite"), Contains("cannot be opened"));
  CHECK_THAT(folder.refusal({}, "worlds.json"), Contains("--store"));
  CHECK_THAT(folder.refusal({"--resume"}, "record.csv"), Contains("is read by this command"));
  CHECK_FALSE(fs::exists(folder.path("worlds.json")));
  folder.write("c.sqlite", "");  // a process killed in its first moments leaves that
  CHECK(folder.stored().code == ExitCode::done);
}

TEST_CASE("A store of a calibration that was changed is refused", "[calibrate][kept]") {
  const Calibrations folder;
  REQUIRE(folder.stored().code == ExitCode::done);
  fs::copy_file(folder.path("c.sqlite"), folder.path("whole.sqlite"));
  const auto refusal = [&](const std::string& sql) {
    fs::copy_file(folder.path("whole.sqlite"), folder.path("c.sqlite"), fs::copy_options::overwrite_existing);
    folder.change(sql);
    return folder.refusal();
  };
  CHECK_THAT(refusal("UPDATE worlds SET figures = replace(figures, '[', '[NaN,') WHERE world = 3"),
             Contains("row 4 of its table worlds: figures must be a list of numbers"));
  CHECK_THAT(refusal("UPDATE worlds SET figures = 1.5 WHERE world = 3"), Contains("figures must be a list"));
  CHECK_THAT(refusal("UPDATE worlds SET figures = '[0.5]' WHERE world = 3"),
             Contains("row 4 of its table worlds: it is not what was written"));
  CHECK_THAT(refusal("UPDATE worlds SET shares = NULL WHERE world = 3"), Contains("shares must be a list"));
  CHECK_THAT(refusal("DROP TABLE worlds"),
             Contains("its table worlds is not that of a store of a calibration"));
  fs::copy_file(folder.path("whole.sqlite"), folder.path("c.sqlite"), fs::copy_options::overwrite_existing);
  fs::resize_file(folder.path("c.sqlite"), fs::file_size(folder.path("c.sqlite")) / 2);
  CHECK_THAT(folder.refusal(), Contains("is damaged"));
  const StoreLock lock{folder.path("whole.sqlite"), StoreLock::Use::write};
  CHECK_THAT(folder.refusal({"--resume"}, "whole.sqlite"), Contains("is being written by another process"));
}

TEST_CASE("What cannot be calibrated leaves no store", "[calibrate][kept]") {
  const Calibrations folder;
  const std::string text = kQueue;
  folder.write("s.json", std::string{text}.replace(text.find("\"unknown\": ["), 85, "\"unknown\": []"));
  folder.write("s.json",
               text.substr(0, text.find(" \"unknown\"")) + text.substr(text.find(" \"strategies\"")));
  CHECK_THAT(folder.refusal({}), Contains("/unknown"));
  CHECK_FALSE(fs::exists(folder.path("c.sqlite")));
  CHECK_THAT(
      stockout_says({"calibrate", folder.path("s.json"), "--observed", folder.path("record.csv"), "--resume"})
          .err,
      Contains("--store"));
}
