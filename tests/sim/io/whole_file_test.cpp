// An output file is there whole or not at all.

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "sim/io/whole_file.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
namespace fs = std::filesystem;

namespace {

std::ptrdiff_t count_in(const test::ScratchFolder& folder) {
  return std::distance(fs::directory_iterator{folder.path()}, fs::directory_iterator{});
}

std::string text_of(const std::string& path) {
  std::ifstream in{path};
  return {std::istreambuf_iterator<char>{in}, {}};
}

}  // namespace

TEST_CASE("A committed file holds what was written, and nothing is beside it", "[whole_file]") {
  const test::ScratchFolder folder;
  const std::string big(3 << 20, 'x');
  WholeFile file{folder.path("out.csv")};
  file.write("head\n");
  file.write(big);
  CHECK_FALSE(fs::exists(folder.path("out.csv")));
  file.commit();
  CHECK(text_of(folder.path("out.csv")) == "head\n" + big);
  CHECK(count_in(folder) == 1);
}

TEST_CASE("Without a commit an older file stays as it was", "[whole_file]") {
  const test::ScratchFolder folder;
  std::ofstream{folder.path("out.csv")} << "old";
  { WholeFile{folder.path("out.csv")}.write("new"); }
  CHECK(text_of(folder.path("out.csv")) == "old");
  CHECK(count_in(folder) == 1);
}

TEST_CASE("A commit replaces an older file and keeps its permissions", "[whole_file]") {
  const test::ScratchFolder folder;
  std::ofstream{folder.path("out.csv")} << "old and long";
  fs::permissions(folder.path("out.csv"), fs::perms::owner_read | fs::perms::owner_write);
  WholeFile file{folder.path("out.csv")};
  file.write("new");
  file.commit();
  CHECK(text_of(folder.path("out.csv")) == "new");
  CHECK(fs::status(folder.path("out.csv")).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("A link stays a link: the file it points to is replaced", "[whole_file]") {
  const test::ScratchFolder folder;
  std::ofstream{folder.path("real.csv")} << "old";
  fs::create_symlink("real.csv", folder.path("link.csv"));
  WholeFile file{folder.path("link.csv")};
  file.write("new");
  file.commit();
  CHECK(fs::is_symlink(folder.path("link.csv")));
  CHECK(text_of(folder.path("real.csv")) == "new");
}

TEST_CASE("A link to a file that is not there makes that file", "[whole_file]") {
  const test::ScratchFolder folder;
  fs::create_directory(folder.path("a"));
  fs::create_symlink("a/real.csv", folder.path("link.csv"));
  {
    WholeFile file{folder.path("link.csv")};
    file.write("new");
    file.commit();
  }
  CHECK(fs::is_symlink(folder.path("link.csv")));
  CHECK(text_of(folder.path("a/real.csv")) == "new");
  CHECK(count_in(folder) == 2);
}

TEST_CASE("A link that leads nowhere is reported, and stays", "[whole_file]") {
  const test::ScratchFolder folder;
  fs::create_symlink("no/real.csv", folder.path("link.csv"));
  fs::create_symlink("circle.csv", folder.path("circle.csv"));
  CHECK_THROWS_WITH(WholeFile{folder.path("link.csv")},
                    Catch::Contains("link.csv: cannot be written: it is a link to ") &&
                        Catch::Contains("no/real.csv: No such file or directory"));
  CHECK_THROWS_WITH(WholeFile{folder.path("circle.csv")}, Catch::Contains("circle.csv: cannot be written"));
  CHECK(fs::is_symlink(folder.path("link.csv")));
  CHECK(fs::is_symlink(folder.path("circle.csv")));
  CHECK(count_in(folder) == 2);
}

TEST_CASE("A place that cannot be written to is named", "[whole_file]") {
  const test::ScratchFolder folder;
  CHECK_THROWS_WITH(WholeFile{folder.path()}, Catch::Contains("it is a folder"));
  CHECK_THROWS_WITH(WholeFile{folder.path("no/such/out.csv")},
                    Catch::Contains("no/such/out.csv") && Catch::Contains("No such file or directory"));
  CHECK_THROWS_AS(WholeFile{""}, InputError);
}

TEST_CASE("A device is written to and stays a device", "[whole_file]") {
  WholeFile file{"/dev/null"};
  file.write("gone");
  file.commit();
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("An open stream is added to, not replaced", "[whole_file]") {
  const test::ScratchFolder folder;
  std::ofstream{folder.path("out.txt")} << "before ";
  const int stream = ::open(folder.path("out.txt").c_str(), O_WRONLY);
  REQUIRE(stream >= 0);
  WholeFile file{"/dev/fd/" + std::to_string(stream)};
  file.write("after");
  file.commit();
  ::close(stream);
  CHECK(text_of(folder.path("out.txt")) == "before after");
  CHECK(count_in(folder) == 1);
}

TEST_CASE("A link to an open stream is added to, too", "[whole_file]") {
  const test::ScratchFolder folder;
  std::ofstream{folder.path("out.txt")} << "before ";
  const int stream = ::open(folder.path("out.txt").c_str(), O_WRONLY);
  REQUIRE(stream >= 0);
  fs::create_symlink("/dev/fd/" + std::to_string(stream), folder.path("link.txt"));
  WholeFile file{folder.path("link.txt")};
  file.write("after");
  file.commit();
  ::close(stream);
  CHECK(text_of(folder.path("out.txt")) == "before after");
  CHECK(count_in(folder) == 2);
}

TEST_CASE("A file in shared memory is a file like others", "[whole_file]") {
  if (!fs::is_directory("/dev/shm")) {
    WARN("there is no /dev/shm here: skipped");
    return;
  }
  const std::string path = "/dev/shm/stockout-test-" + std::to_string(::getpid());
  for (const char* text : {"first", "second"}) {
    WholeFile file{path};
    file.write(text);
    file.commit();
  }
  CHECK(text_of(path) == "second");
  fs::remove(path);
}

TEST_CASE("A full disk is bad news in time", "[whole_file]") {
  if (!fs::exists("/dev/full")) {
    WARN("there is no /dev/full here: skipped");
    return;
  }
  WholeFile file{"/dev/full"};
  file.write("x");
  CHECK_THROWS_WITH(file.commit(), Catch::Contains("/dev/full") && Catch::Contains("No space left"));
}
