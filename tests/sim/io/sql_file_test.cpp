// A file that anybody may have changed is opened, or refused with what to do about it.

#include <string>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>
#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "sim/io/sql_file.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

constexpr SqlFileKind kNotes{.application = 0x4e'4f'54'45, .layout = 3};
constexpr SqlFileWords kNotesWords{
    .what = "pad of notes", .make = "buy one", .again = "copy it", .anew = "Write it again"};

std::string notes_bytes(const SqlFileKind& kind = kNotes) {
  SQLite::Database database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
  set_file_kind(database, kind);
  database.exec(
      "CREATE TABLE notes (text TEXT); CREATE TABLE others (text TEXT);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) INSERT INTO others "
      "SELECT 'somebody else wrote ' || i FROM n");
  return sql_file_bytes(database);
}

// Empty: it is opened.
std::string refusal_of(const std::string& path) {
  try {
    return with_sql_file(path, kNotesWords, [&] {
      static_cast<void>(open_sql_file(path, kNotes, kNotesWords, SQLite::OPEN_READONLY));
      return std::string{};
    });
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("A file is opened if it is of its kind and whole", "[sql]") {
  const ScratchFolder folder;
  CHECK(refusal_of(folder.file("a.sqlite", notes_bytes())).empty());
  CHECK_THAT(refusal_of(folder.path("none.sqlite")), Contains("there is no such file"));
  CHECK_THAT(refusal_of(folder.file("x.sqlite", "x")), Contains("is no pad of notes: buy one"));
  CHECK_THAT(refusal_of(folder.file("b.sqlite", notes_bytes({.application = 7, .layout = 3}))),
             Contains("is a database, but no pad of notes"));
  CHECK_THAT(
      refusal_of(folder.file("c.sqlite", notes_bytes({.application = kNotes.application, .layout = 2}))),
      Contains("of layout 2, and this program reads layout 3: copy it"));
}

TEST_CASE("A file with a broken page is refused before anything of it is read", "[sql]") {
  const ScratchFolder folder;
  std::string bytes = notes_bytes();
  constexpr std::size_t kPage = 4096;
  REQUIRE(bytes.size() >= 4 * kPage);
  bytes.replace(bytes.size() - kPage, kPage, std::string(kPage, '\xff'));
  const std::string path = folder.file("broken.sqlite", bytes);
  CHECK_THAT(refusal_of(path), Contains("broken.sqlite: is damaged: ") && Contains(". Write it again"));
}

TEST_CASE("Nothing that a table says of its rows is computed before the file is trusted", "[sql]") {
  const ScratchFolder folder;
  const auto after = [&](const std::string& sql) {
    const std::string path = folder.file("computes.sqlite", notes_bytes());
    SQLite::Database{path, SQLite::OPEN_READWRITE}.exec(sql);
    return refusal_of(path);
  };
  CHECK(
      after(
          "PRAGMA ignore_check_constraints = ON; CREATE TABLE t (a CHECK (a > 1)); INSERT INTO t VALUES (0)")
          .empty());
  CHECK(after("CREATE TABLE t (a, b AS (a + 1)); INSERT INTO t VALUES (0)").empty());
  CHECK_THAT(after("CREATE TABLE t (a, b AS (a + 1) NOT NULL); INSERT INTO t VALUES (0)"),
             Contains("is damaged: a table has computed columns. Write it again"));
}

TEST_CASE("What SQLite cannot do with a file is told in words", "[sql]") {
  const auto told = [](int code) {
    try {
      with_sql_file("a.sqlite", kNotesWords, [&] { throw SQLite::Exception("disk on fire", code); });
    } catch (const InputError& error) {
      return std::string{error.what()};
    }
    return std::string{};
  };
  CHECK(told(SQLITE_NOTADB) == "a.sqlite: is no pad of notes");
  CHECK(told(SQLITE_CORRUPT) == "a.sqlite: is damaged. Write it again");
  CHECK_THAT(told(SQLITE_BUSY), Contains("is locked by another program"));
  CHECK(told(SQLITE_IOERR) == "a.sqlite: cannot be used: disk on fire");
  CHECK_THROWS_AS(told(SQLITE_NOMEM), std::bad_alloc);
}
