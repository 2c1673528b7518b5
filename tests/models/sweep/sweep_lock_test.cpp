// Who may write a store, and where it is: locks, links, stores that are lost on the way.

#include <filesystem>
#include <string>
#include <vector>

#include "models/kept/store_lock.h"
#include "models/sweep/store.h"
#include "tests/support/made_up/sweep_folder.h"

using namespace stockout;
using namespace stockout::test;
namespace fs = std::filesystem;
using Catch::Contains;

TEST_CASE("Two processes do not write one store, whatever they call it", "[sweep]") {
  const SweepFolder folder;
  REQUIRE(folder.sweep("s.sqlite").code == ExitCode::done);
  fs::create_directory(folder.path("a"));
  fs::create_symlink("s.sqlite", folder.path("link.sqlite"));
  fs::create_directory_symlink(".", folder.path("linked"));
  fs::create_hard_link(folder.path("s.sqlite"), folder.path("second.sqlite"));
  const StoreLock other{folder.path("s.sqlite"), StoreLock::Use::write};
  for (const char* name :
       {"s.sqlite", "./s.sqlite", "a/../s.sqlite", "link.sqlite", "linked/s.sqlite", "second.sqlite"}) {
    CAPTURE(name);
    const Answer refused = folder.sweep(name, {"--resume"});
    CHECK(refused.code == ExitCode::bad_input);
    CHECK_THAT(refused.err, Contains(std::string{name} + ": is being written by another process"));
    CHECK_THAT(stockout_says({"sweep", "merge", folder.path("m.sqlite"), folder.path(name)}).err,
               Contains("is being written by another process"));
    CHECK(lines_in(folder.exported(name)) == 11);  // whoever reads is not kept out
  }
}

TEST_CASE("A store is locked before there is anything in it, and nothing else is touched", "[sweep]") {
  const SweepFolder folder;
  folder.write("victim", "precious");
  fs::create_symlink("victim", folder.path("s.sqlite.lock"));
  {
    const StoreLock other{folder.path("s.sqlite"), StoreLock::Use::write};
    CHECK(folder.sweep("s.sqlite").code == ExitCode::bad_input);
    CHECK(fs::file_size(folder.path("s.sqlite")) == 0);
  }
  CHECK_FALSE(fs::exists(folder.path("s.sqlite")));  // it held nothing
  CHECK(folder.sweep("s.sqlite").code == ExitCode::done);
  CHECK(fs::file_size(folder.path("victim")) == 8);
  CHECK(fs::is_symlink(folder.path("s.sqlite.lock")));
}

TEST_CASE("A lock leaves what others put there", "[sweep]") {
  const SweepFolder folder;
  folder.write("empty.sqlite", "");
  folder.write("text.sqlite", "precious");
  for (const char* name : {"empty.sqlite", "text.sqlite"}) {
    const auto size = fs::file_size(folder.path(name));
    { const StoreLock lock{folder.path(name), StoreLock::Use::write}; }
    CHECK(fs::file_size(folder.path(name)) == size);
  }
  CHECK_THROWS_WITH((StoreLock{folder.path("none.sqlite"), StoreLock::Use::merge}),
                    Contains("cannot be opened"));
  CHECK_FALSE(fs::exists(folder.path("none.sqlite")));
}

TEST_CASE("A store behind a link that leads nowhere yet is begun there", "[sweep]") {
  const SweepFolder folder;
  fs::create_symlink("s.sqlite", folder.path("link.sqlite"));
  CHECK(folder.sweep("link.sqlite").code == ExitCode::done);
  CHECK(fs::is_symlink(folder.path("link.sqlite")));
  CHECK(lines_in(folder.exported("s.sqlite")) == 11);
}

TEST_CASE("A store is no standard output", "[sweep]") {
  const SweepFolder folder;
  REQUIRE(folder.sweep("s.sqlite").code == ExitCode::done);
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"sweep", folder.path("sweep.json"), "--store", "-"},
           {"sweep", folder.path("sweep.json"), "--store", "-", "--shard", "0/2"},
           {"sweep", "merge", "-", folder.path("s.sqlite")}}) {
    CHECK(stockout_says(command).code == ExitCode::bad_input);
    CHECK_FALSE(fs::exists("-"));
    CHECK_FALSE(fs::exists("-.shard-0-of-2"));
  }
}

TEST_CASE("A store that is lost during a transaction is reported behind it", "[sweep]") {
  const SweepFolder folder;
  const Sweep sweep = read_sweep(folder.path("sweep.json"));
  InputStamps inputs{sweep.folder()};
  SweepStore store{folder.path("s.sqlite"), sweep, {}, false, inputs};
  CHECK_NOTHROW(store.add({}));  // so little that SQLite does not look whether its file is still there
  fs::remove(folder.path("s.sqlite"));
  CHECK_THROWS_WITH(store.add({}), Contains("s.sqlite: was removed, moved or replaced"));
  folder.write("s.sqlite", "");
  CHECK_THROWS_WITH(store.add({}), Contains("s.sqlite: was removed, moved or replaced"));
}
