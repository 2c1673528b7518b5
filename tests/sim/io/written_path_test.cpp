// Names of files that are not there yet: which are the same.

#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "sim/io/written_path.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
namespace fs = std::filesystem;

TEST_CASE("All names of a file that is not there yet lead to one", "[written_path]") {
  const test::ScratchFolder folder;
  fs::create_directory(folder.path("a"));
  fs::create_directory_symlink("a", folder.path("linked"));
  fs::create_symlink("a/z.html", folder.path("link.html"));
  fs::create_symlink(folder.path("link.html"), folder.path("a/second.html"));
  const std::string wanted = written_path(folder.path("a/z.html"));
  CHECK(wanted == (fs::canonical(folder.path("a")) / "z.html").string());
  for (const char* name :
       {"a/./z.html", "a/../a/z.html", "linked/z.html", "link.html", "a/second.html", "linked/second.html"}) {
    CAPTURE(name);
    CHECK(written_path(folder.path(name)) == wanted);
  }
  CHECK(written_path(folder.path("z.html")) != wanted);
  CHECK(written_path("z.html") == written_path("./z.html"));
  CHECK(written_path("z.html") == (fs::current_path() / "z.html").string());
}

TEST_CASE("A name that leads nowhere stays one", "[written_path]") {
  const test::ScratchFolder folder;
  fs::create_symlink("no/such/folder/x", folder.path("nowhere"));
  fs::create_symlink("circle", folder.path("circle"));
  for (const char* name : {"no/such/x", "nowhere", "circle"}) {
    CAPTURE(name);
    CHECK_FALSE(fs::exists(fs::path{written_path(folder.path(name))}.parent_path() / "x"));
    CHECK_FALSE(written_path(folder.path(name)).empty());
  }
}
