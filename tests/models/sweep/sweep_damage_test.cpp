// What a store holds proves itself: whatever byte of it changes, it is refused, or its results are the same.

#include <filesystem>
#include <fstream>
#include <random>

#include <catch2/catch.hpp>

#include "models/sweep/stored_sweep.h"
#include "tests/support/made_up/sweep_folder.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

constexpr int kFlips = 400;

std::string bytes_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("A store of which a bit has flipped is refused, or exported as it was", "[sweep][damage]") {
  const SweepFolder folder;
  REQUIRE(folder.sweep("s.sqlite").code == ExitCode::done);
  const std::string exported = folder.exported("s.sqlite");
  const std::string whole = bytes_of(folder.path("s.sqlite"));
  std::mt19937_64 random{20261122};
  int refused = 0;
  for (int i = 0; i < kFlips; ++i) {
    std::string damaged = whole;
    const std::size_t place = random() % whole.size();
    damaged[place] = static_cast<char>(static_cast<unsigned char>(damaged[place]) ^ (1U << random() % 8));
    folder.write("damaged.sqlite", damaged);
    const Answer answer = stockout_says({"sweep", "export", folder.path("damaged.sqlite")});
    CAPTURE(place, answer.err);
    if (answer.code == ExitCode::done) {
      CHECK((answer.out == exported));  // too long to be shown
    } else {
      CHECK(answer.code == ExitCode::bad_input);
      CHECK(answer.out.empty());
      ++refused;
    }
  }
  CHECK(refused > kFlips / 10);
  CHECK(refused < kFlips);
}

TEST_CASE("A damaged point is named, whatever is done with the store", "[sweep][damage]") {
  const SweepFolder folder;
  REQUIRE(folder.sweep("s.sqlite").code == ExitCode::done);
  SQLite::Database{folder.path("s.sqlite"), SQLite::OPEN_READWRITE}.exec(
      "UPDATE results SET wait_mean_h = wait_mean_h + 0.25 WHERE point = 7 AND strategy_number = 0");
  const auto names_it = [&](const Answer& answer) {
    CHECK(answer.code == ExitCode::bad_input);
    CHECK_THAT(answer.err, Contains("s.sqlite: is damaged: point 7 is not what was written"));
  };
  names_it(folder.sweep("s.sqlite", {"--resume"}));
  names_it(stockout_says({"sweep", "export", folder.path("s.sqlite")}));
  names_it(stockout_says({"sweep", "merge", folder.path("merged.sqlite"), folder.path("s.sqlite")}));
  names_it(stockout_says({"report", folder.path("s.sqlite"), "--output", folder.path("page.html")}));
  CHECK_FALSE(fs::exists(folder.path("merged.sqlite")));
  CHECK_FALSE(fs::exists(folder.path("page.html")));
}

// Whoever reads it by name would take the name of the column for a value.
TEST_CASE("A store without a measure of this program is refused by whoever reads it", "[sweep][damage]") {
  const SweepFolder folder;
  REQUIRE(folder.sweep("s.sqlite").code == ExitCode::done);
  SQLite::Database{folder.path("s.sqlite"), SQLite::OPEN_READWRITE}.exec(
      "ALTER TABLE results DROP COLUMN goodput_share");
  for (const char* reader : {"export", "report"}) {
    const bool exports = std::string_view{reader} == "export";
    const Answer answer =
        exports ? stockout_says({"sweep", "export", folder.path("s.sqlite")})
                : stockout_says({"report", folder.path("s.sqlite"), "--output", folder.path("page.html")});
    CHECK(answer.code == ExitCode::bad_input);
    CHECK(answer.out.empty());
    CHECK_THAT(answer.err, Contains("its table results has other columns than this program"));
  }
}
