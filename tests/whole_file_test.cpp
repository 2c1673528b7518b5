// An output file is there whole or not at all.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "sim/io/whole_file.h"

using namespace stockout;
namespace fs = std::filesystem;

namespace {

// A folder that is gone at the end of the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "stockout-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::ptrdiff_t count() const {
    return std::distance(fs::directory_iterator{path_}, fs::directory_iterator{});
  }

 private:
  fs::path path_;
};

std::string text_of(const std::string& path) {
  std::ifstream in{path};
  return {std::istreambuf_iterator<char>{in}, {}};
}

}  // namespace

TEST_CASE("A committed file holds what was written, and nothing is beside it", "[whole_file]") {
  const Folder folder;
  const std::string big(3 << 20, 'x');
  WholeFile file{folder.file("out.csv")};
  file.write("head\n");
  file.write(big);
  CHECK_FALSE(fs::exists(folder.file("out.csv")));
  file.commit();
  CHECK(text_of(folder.file("out.csv")) == "head\n" + big);
  CHECK(folder.count() == 1);
}

TEST_CASE("Without a commit an older file stays as it was", "[whole_file]") {
  const Folder folder;
  std::ofstream{folder.file("out.csv")} << "old";
  { WholeFile{folder.file("out.csv")}.write("new"); }
  CHECK(text_of(folder.file("out.csv")) == "old");
  CHECK(folder.count() == 1);
}

TEST_CASE("A commit replaces an older file and keeps its permissions", "[whole_file]") {
  const Folder folder;
  std::ofstream{folder.file("out.csv")} << "old and long";
  fs::permissions(folder.file("out.csv"), fs::perms::owner_read | fs::perms::owner_write);
  WholeFile file{folder.file("out.csv")};
  file.write("new");
  file.commit();
  CHECK(text_of(folder.file("out.csv")) == "new");
  CHECK(fs::status(folder.file("out.csv")).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("A link stays a link: the file it points to is replaced", "[whole_file]") {
  const Folder folder;
  std::ofstream{folder.file("real.csv")} << "old";
  fs::create_symlink("real.csv", folder.file("link.csv"));
  WholeFile file{folder.file("link.csv")};
  file.write("new");
  file.commit();
  CHECK(fs::is_symlink(folder.file("link.csv")));
  CHECK(text_of(folder.file("real.csv")) == "new");
}

TEST_CASE("A place that cannot be written to is named", "[whole_file]") {
  const Folder folder;
  CHECK_THROWS_WITH(WholeFile{folder.file("")}, Catch::Contains("it is a directory"));
  CHECK_THROWS_WITH(WholeFile{folder.file("no/such/out.csv")},
                    Catch::Contains("no/such/out.csv") && Catch::Contains("No such file or directory"));
  CHECK_THROWS_AS(WholeFile{""}, InputError);
}

TEST_CASE("A device is written to and stays a device", "[whole_file]") {
  WholeFile file{"/dev/null"};
  file.write("gone");
  file.commit();
  CHECK(fs::is_character_file("/dev/null"));
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
