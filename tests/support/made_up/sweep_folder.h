#pragma once

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <catch2/catch.hpp>

#include "models/sweep/run_sweep.h"
#include "tests/support/answer.h"
#include "tests/support/scenarios/small_scenario.h"

namespace stockout::test {

/// Ten points: five sizes of the pool, two seeds.
inline constexpr const char* kSmallSweep = R"({
 "name": "small",
 "scenario": "small.json",
 "replications": 2,
 "vary": {"grid": [
  {"at": "/pools/0/gpus", "name": "gpus", "values": [2, 3, 4, 5, 6]},
  {"at": "/seed", "values": [1, 2]}]}
})";

/// The text with something else in the place of `what`.
inline std::string with(std::string text, const std::string& what, const std::string& instead) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), instead);
}

/// The small scenario with random arrivals, so that there is something to tell points apart by.
inline std::string random_scenario() {
  return with(kSmallScenario, R"("schedule": {"at": "12:00"})", R"("poisson": {"per_day": 40})");
}

/// The sweep and its scenario in a folder of their own.
class SweepFolder {
 public:
  SweepFolder() {
    write("small.json", random_scenario());
    write("sweep.json", kSmallSweep);
  }

  void write(const std::string& name, const std::string& text) const {
    static_cast<void>(folder_.file(name, text));
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }

  /// How many files are in it.
  [[nodiscard]] std::ptrdiff_t count() const {
    return std::distance(std::filesystem::directory_iterator{folder_.path()}, {});
  }

  [[nodiscard]] Answer sweep(const std::string& store, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"sweep", path("sweep.json"), "--store", path(store)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return stockout_says(arguments);
  }

  [[nodiscard]] std::string exported(const std::string& store) const {
    const Answer answer = stockout_says({"sweep", "export", path(store)});
    REQUIRE(answer.code == ExitCode::done);
    return answer.out;
  }

  [[nodiscard]] std::int64_t number(const std::string& store, const std::string& query) const {
    SQLite::Database database{path(store), SQLite::OPEN_READONLY};
    return database.execAndGet(query).getInt64();
  }

 private:
  ScratchFolder folder_;
};

inline std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace stockout::test
