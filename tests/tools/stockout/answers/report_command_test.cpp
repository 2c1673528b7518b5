// `stockout report`: which files it takes, where it writes, what it refuses.

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/made_up/made_up_store.h"

using namespace stockout;
using namespace stockout::test;
namespace fs = std::filesystem;
using Catch::Contains;

namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string refused(const std::vector<std::string>& arguments) {
  const Answer answer = stockout_says(arguments);
  CHECK(answer.code == ExitCode::bad_input);
  return answer.err;
}

}  // namespace

TEST_CASE("report writes a page beside the store, the same bytes each time, and says where", "[report]") {
  const SweepFolder folder;
  REQUIRE(folder.sweep("s.sqlite").code == ExitCode::done);
  const Answer answer = stockout_says({"report", folder.path("s.sqlite")});
  INFO(answer.err);
  REQUIRE(answer.code == ExitCode::done);
  CHECK(answer.out == "Report: " + folder.path("s.html") + "\n");
  const std::string page = bytes_of(folder.path("s.html"));
  CHECK_THAT(page, Catch::StartsWith("<!DOCTYPE html>") && Contains("Each strategy over 10 points"));
  REQUIRE(stockout_says({"report", folder.path("s.sqlite"), "--output", folder.path("other.html")}).code ==
          ExitCode::done);
  // The file is named in both: the same store, so the same page.
  CHECK(bytes_of(folder.path("other.html")) == page);
}

TEST_CASE("report takes only the endings of databases off a store's name", "[report]") {
  const SweepFolder folder;
  REQUIRE(folder.sweep("s.sqlite").code == ExitCode::done);
  const auto [store, page] = GENERATE(table<std::string, std::string>({
      {"s.db", "s.html"},
      {"s.shard-0-of-2", "s.shard-0-of-2.html"},
      {"s.v1.sqlite", "s.v1.html"},
      {"s", "s.html"},
  }));
  fs::rename(folder.path("s.sqlite"), folder.path(store));
  CHECK(stockout_says({"report", folder.path(store)}).out == "Report: " + folder.path(page) + "\n");
}

TEST_CASE("report makes a page of a recorded comparison, whose parts add up", "[report]") {
  const SweepFolder folder;
  const Answer made = stockout_says(
      {"compare", folder.path("small.json"), "--replications", "2", "--record", folder.path("r.sqlite")});
  REQUIRE(made.code == ExitCode::done);
  const Answer answer = stockout_says({"report", folder.path("r.sqlite")});
  INFO(answer.err);
  REQUIRE(answer.code == ExitCode::done);
  const std::string page = bytes_of(folder.path("r.html"));
  CHECK_THAT(page, Contains("Where every dollar went") && Contains("A record keeps what each run used"));
}

TEST_CASE("report refuses what is neither a sweep's store nor a record", "[report]") {
  const SweepFolder folder;
  CHECK_THAT(refused({"report", folder.path("none.sqlite")}), Contains("none.sqlite"));
  CHECK_THAT(refused({"report", folder.path("sweep.json")}),
             Contains("is neither the store of a sweep nor the record"));
  folder.write("empty.sqlite", "");
  CHECK_THAT(refused({"report", folder.path("empty.sqlite")}), Contains("is neither"));
  SQLite::Database{folder.path("others.sqlite"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE}.exec(
      "CREATE TABLE t (a)");
  CHECK_THAT(refused({"report", folder.path("others.sqlite")}), Contains("is neither"));
  CHECK_THAT(refused({"report", folder.path("")}), Contains("folder"));
  CHECK_FALSE(fs::exists(folder.path("others.html")));
}

TEST_CASE("report writes nothing over the store, and nothing of a damaged one", "[report]") {
  const MadeUpStore store{R"({"at": "/demand", "name": "x", "values": [1, 2]})"};
  static_cast<void>(
      store.read([](const std::vector<double>&) -> MadeUp { return {{.name = "a", .cost = 1}}; }));
  CHECK_THAT(refused({"report", store.path(), "--output", store.path()}), Contains("would be lost"));
  CHECK_THAT(refused({"report", store.path(), "--output", store.file("")}), Contains(store.file("")));
  CHECK_THAT(refused({"report", store.path(), "--output", ""}), Contains("--output"));
  store.exec_sealed("UPDATE points SET state = 'failed', error = 'why not'; DELETE FROM results");
  CHECK_THAT(refused({"report", store.path()}),
             Contains("has no point that is done: 2 failed, 0 are missing"));
  store.exec_sealed("DELETE FROM points");
  CHECK_THAT(refused({"report", store.path()}), Contains("0 failed, 2 are missing"));
  CHECK_FALSE(fs::exists(store.file("store.html")));
  const std::string whole = bytes_of(store.path());
  for (const std::size_t size : {0UL, 50UL, 100UL, 5'000UL, whole.size() / 2}) {
    std::ofstream{store.path(), std::ios::binary | std::ios::trunc} << whole.substr(0, size);
    CHECK_FALSE(refused({"report", store.path()}).empty());
  }
  CHECK_FALSE(fs::exists(store.file("store.html")));
}
