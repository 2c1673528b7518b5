// One list of fields makes a table, fills it and reads it back; a file that somebody changed is told with
// table, row and column.

#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "sim/core/quantity.h"
#include "sim/io/sql_file.h"
#include "sim/io/sql_rows.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;

namespace {

enum class Colour { red, blue };
constexpr std::array<std::string_view, 2> kColourNames{"red", "blue"};

struct Size {
  double metres = 0;
  std::optional<double> depth;
};
struct Thing {
  std::string name;
  Colour colour{};
  bool sold = false;
  SimTime made{};
  MachineCount parts{};
  std::uint64_t print = 0;
  std::optional<std::string> note;
  std::optional<Size> size;
};
struct ThingNumber {
  std::size_t number = 0;
};

constexpr auto kThings = checked_table(
    "things", 1,  //
    field<&ThingNumber::number>("number", Whole{}), field<&Thing::name>("name", Line{}),
    field<&Thing::colour>("colour", OneOf{kColourNames}), field<&Thing::sold>("sold", Flag{}),
    field<&Thing::made>("made_ms", Whole{.least = -10}), field<&Thing::parts>("parts", Whole{.most = 9}),
    field<&Thing::print>("print", Digits{16}), field<&Thing::note>("note", AnyText{}),
    field<&Thing::size, &Size::metres>("metres", Number{}),
    field<&Thing::size, &Size::depth>("depth", Number{}));

constexpr auto kPlain =
    plain_table("plain", 2, field<&ThingNumber::number>("number", Whole{}),
                field<&Thing::name>("name", AnyText{}), field<&Thing::sold>("sold", Flag{}));
constexpr auto kByName = plain_table("by_name", 1, field<&Thing::name>("name", AnyText{}));

std::vector<Thing> two_things() {
  return {{.name = "né \"a\"",
           .colour = Colour::blue,
           .sold = true,
           .made = kStart - SimDuration{7},
           .parts = MachineCount{9},
           .print = std::numeric_limits<std::uint64_t>::max(),
           .note = "b\nc",
           .size = Size{.metres = 0.1, .depth = {}}},
          {.name = "",
           .colour = Colour::red,
           .sold = false,
           .made = kStart,
           .parts = {},
           .print = 0,
           .note = {},
           .size = {}}};
}

void write_things(SQLite::Database& database) {
  database.exec(create_sql(kThings));
  RowWriter<kThings> rows{database};
  std::size_t number = 0;
  for (const Thing& thing : two_things()) rows.add(ThingNumber{number++}, thing);
}

std::vector<Thing> read_things(SQLite::Database& database) {
  std::vector<Thing> things;
  read_rows<kThings, ThingNumber, Thing>(database,
                                         [&](const RowReader&, const ThingNumber& number, Thing& thing) {
                                           CHECK(number.number == things.size());
                                           things.push_back(std::move(thing));
                                         });
  return things;
}

// What is said of the rows after this SQL.
std::string things_after(const std::string& sql) {
  const ScratchFolder folder;
  SQLite::Database database{folder.path("things.sqlite"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
  write_things(database);
  database.exec(sql);
  try {
    static_cast<void>(read_things(database));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("A list of fields is a table", "[sql]") {
  CHECK(create_sql(kThings) ==
        "CREATE TABLE things (number INTEGER PRIMARY KEY, name TEXT NOT NULL, colour TEXT NOT NULL, sold "
        "INTEGER NOT NULL, made_ms INTEGER NOT NULL, parts INTEGER NOT NULL, print TEXT NOT NULL, note TEXT, "
        "metres REAL, depth REAL)");
  CHECK(create_sql(kPlain, ", more REAL") ==
        "CREATE TABLE plain (number INTEGER, name TEXT, sold INTEGER, more REAL, PRIMARY KEY (number, name)) "
        "WITHOUT ROWID");
  CHECK(create_sql(kByName) == "CREATE TABLE by_name (name TEXT PRIMARY KEY) WITHOUT ROWID");
  CHECK(insert_row_sql("t", 2, "INSERT OR IGNORE") == "INSERT OR IGNORE INTO t VALUES (?, ?)");
  CHECK(sql_name("a \"b\"") == "\"a \"\"b\"\"\"");
}

TEST_CASE("Rows that were written are what is read", "[sql]") {
  SQLite::Database database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
  write_things(database);
  const std::vector<Thing> read = read_things(database);
  REQUIRE(read.size() == 2);
  const Thing first = two_things()[0];
  CHECK(read[0].name == first.name);
  CHECK(read[0].colour == Colour::blue);
  CHECK(read[0].sold);
  CHECK(read[0].made == first.made);
  CHECK(read[0].parts == first.parts);
  CHECK(read[0].print == first.print);
  CHECK(read[0].note == first.note);
  REQUIRE(read[0].size);
  CHECK(read[0].size->metres == 0.1);
  CHECK_FALSE(read[0].size->depth);
  CHECK_FALSE(read[1].size);
  CHECK_FALSE(read[1].note);
}

TEST_CASE("Columns behind the fields are written and read beside them", "[sql]") {
  SQLite::Database database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
  database.exec(create_sql(kByName, ", x, y"));
  RowWriter<kByName> rows{database, 2};
  rows.add_with(std::vector<StoredValue>{std::int64_t{7}, {}}, two_things()[0]);
  rows.add_with(std::vector<StoredValue>{0.5, std::string{"z"}}, two_things()[1]);
  std::vector<std::vector<StoredValue>> more;
  read_rows<kByName, Thing>(
      database,
      [&](const RowReader& row, const Thing&) {
        more.push_back({row.more(0), row.more(1)});
      },
      ", x, by_name.y");
  CHECK(more == std::vector<std::vector<StoredValue>>{{0.5, std::string{"z"}},  // by name: "" first
                                                      {std::int64_t{7}, std::monostate{}}});
}

TEST_CASE("A row that somebody changed is reported with table, row and column", "[sql]") {
  const auto [set, message] = GENERATE(table<std::string, std::string>({
      {"name = 7", ""},  // SQLite makes a text of it
      {"name = x'00'", "name must be a number or a text"},
      {"name = 'a' || char(7)", "name must be text without control characters"},
      {"name = CAST(x'ff' AS TEXT)", "name must be text"},
      {"colour = 'green'", "colour must be one of red, blue, but is \"green\""},
      {"sold = 2", "sold must be 0 to 1, but is 2"},
      {"sold = 'yes'", "sold must be a whole number"},
      {"made_ms = -11", "made_ms must be -10 to"},
      {"made_ms = 1.5", "made_ms must be a whole number"},
      {"parts = 10", "parts must be 0 to 9, but is 10"},
      {"print = '12'", "print must be a fingerprint of 16"},
      {"print = '00000000000000g0'", "print must be a fingerprint of 16"},
      {"metres = 9e999", "metres must be a number"},
      {"metres = 'long'", "metres must be a number"},
      {"metres = NULL, depth = 3", "metres must be there if the others are"},
  }));
  const std::string found = things_after("UPDATE things SET " + set + " WHERE number = 0");
  CAPTURE(set);
  if (message.empty()) {
    CHECK(found.empty());
  } else {
    CHECK_THAT(found,
               Catch::Contains("things.sqlite") && Catch::Contains("row 1 of its table things: " + message));
  }
}

TEST_CASE("Rows of a query are checked as those of a table are", "[sql]") {
  SQLite::Database database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
  write_things(database);
  constexpr std::tuple kNumberAndNote{field<&ThingNumber::number>("number", Whole{}),
                                      field<&Thing::note>("note", AnyText{})};
  std::vector<std::string> notes;
  const auto read = [&] {
    read_query<ThingNumber, Thing>(database, "SELECT number, note, name FROM things ORDER BY number DESC",
                                   "its things", kNumberAndNote,
                                   [&](const RowReader& row, const ThingNumber& number, const Thing& thing) {
                                     CHECK(number.number == 1 - notes.size());
                                     CHECK(std::holds_alternative<std::string>(row.more(0)));
                                     notes.push_back(thing.note.value_or("none"));
                                   });
  };
  read();
  CHECK(notes == std::vector<std::string>{"none", "b\nc"});
  notes.clear();
  database.exec("UPDATE things SET note = x'00' WHERE number = 0");
  CHECK_THROWS_WITH(read(),
                    Catch::Contains("is damaged: row 2 of its things: note must be a number or a text"));
}

TEST_CASE("Cells of a query without fields are numbers, texts or nothing", "[sql]") {
  SQLite::Database database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
  std::vector<StoredValue> cells;
  const auto read = [&](const std::string& query) {
    read_query(database, query, "its cells", std::tuple{}, [&](const RowReader& row) {
      for (std::size_t i = 0; i < 3; ++i) cells.push_back(row.more(i));
    });
  };
  read("SELECT 7, 'a', NULL");
  CHECK(cells == std::vector<StoredValue>{std::int64_t{7}, std::string{"a"}, std::monostate{}});
  CHECK_THROWS_WITH(read("SELECT 7, x'61' AS odd, 0.5"),
                    Catch::Contains("row 1 of its cells: odd must be a number or a text"));
}

TEST_CASE("What a query counts is a number", "[sql]") {
  SQLite::Database database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
  write_things(database);
  CHECK(sql_count(database, "SELECT count(*) FROM things") == 2);
  CHECK(sql_count(database, "SELECT count(*) FROM things WHERE sold = 1") == 1);
  CHECK_THROWS_WITH(sql_count(database, "SELECT -1"), Catch::Contains("the count must be 0 to"));
}

TEST_CASE("A table is held to be one before it is read", "[sql]") {
  SQLite::Database database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
  write_things(database);
  CHECK(is_plain_table(database, "things"));
  CHECK(is_table_as_made(database, "things", create_sql(kThings)));
  CHECK_FALSE(is_plain_table(database, "none"));
  CHECK_FALSE(is_table_as_made(database, "none", create_sql(kThings)));
  database.exec("ALTER TABLE things ADD COLUMN more AS (zeroblob(9))");
  CHECK_FALSE(is_plain_table(database, "things"));
  CHECK_FALSE(is_table_as_made(database, "things", create_sql(kThings)));
  database.exec("DROP TABLE things; CREATE VIEW things AS SELECT 1 AS number");
  CHECK_FALSE(is_plain_table(database, "things"));
}

TEST_CASE("The header of a file says whose it is", "[sql]") {
  const ScratchFolder folder;
  SQLite::Database database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
  set_file_kind(database, {.application = 0x7a'bc'de'f1, .layout = 3});
  write_things(database);
  const auto kind = sql_file_kind(folder.file("a.sqlite", sql_file_bytes(database)));
  REQUIRE(kind);
  CHECK(kind->application == 0x7a'bc'de'f1);
  CHECK(kind->layout == 3);
  CHECK_FALSE(sql_file_kind(folder.file("short", "SQLite format 3")));
  CHECK_FALSE(sql_file_kind(folder.file("other", std::string(200, 'x'))));
  CHECK_THROWS_AS(sql_file_kind(folder.path("none")), InputError);
}
