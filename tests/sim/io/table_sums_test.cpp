// A database proves itself: whatever row changes, comes or goes, its sum is not that which was sealed.

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "sim/io/table_sums.h"

using namespace stockout;

namespace {

struct Pear {
  std::int64_t tree = 0;
  std::int64_t place = 0;
  std::string name;
};

constexpr auto kTrees =
    plain_table("trees", 1, field<&Pear::tree>("tree", Whole{}), field<&Pear::name>("name", AnyText{}));
constexpr auto kPears =
    plain_table("pears", 2, field<&Pear::tree>("tree", Whole{}), field<&Pear::place>("place", Whole{}),
                field<&Pear::name>("name", AnyText{}));
constexpr auto kSums = plain_table("sums", 1, field<&TableSum::what>("what", AnyText{}),
                                   field<&TableSum::fnv1a>("fnv1a", AnyText{}));
constexpr std::tuple kOrchard{kTrees, kPears};

/// Two trees and three pears, each table sealed.
SQLite::Database orchard() {
  SQLite::Database database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
  for (const std::string& sql : {create_sql(kTrees), create_sql(kPears), create_sql(kSums)})
    database.exec(sql);
  database.exec(
      "INSERT INTO trees VALUES (1, 'old'), (2, 'new');"
      "INSERT INTO pears VALUES (2, 1, 'c'), (1, 2, 'b'), (1, 1, 'a')");
  for (const SummedRows& rows : each_table(kOrchard)) seal_rows<kSums>(database, rows);
  return database;
}

// Empty: each table is as it was sealed.
std::string broken_after(const std::string& sql) {
  SQLite::Database database = orchard();
  database.exec(sql);
  return first_unsealed<kSums>(database, each_table(kOrchard)).value_or("");
}

}  // namespace

TEST_CASE("A table that was sealed is whole until a row of it changes", "[sql]") {
  CHECK(broken_after("").empty());
  CHECK(broken_after("INSERT INTO sums VALUES ('of nobody', 'x')").empty());
  CHECK(broken_after("UPDATE pears SET name = 'd' WHERE place = 2") == "pears");
  CHECK(broken_after("UPDATE trees SET name = NULL WHERE tree = 2") == "trees");
  CHECK(broken_after("DELETE FROM pears WHERE tree = 2") == "pears");
  CHECK(broken_after("INSERT INTO trees VALUES (3, '')") == "trees");
  CHECK(broken_after("DELETE FROM sums WHERE what = 'pears'") == "pears");
  CHECK(broken_after("UPDATE sums SET fnv1a = '0000000000000000' WHERE what = 'trees'") == "trees");
  CHECK_THROWS_WITH(broken_after("UPDATE sums SET fnv1a = NULL WHERE what = 'trees'"),
                    Catch::Contains("row 2 of its table sums: fnv1a must be a text"));
}

TEST_CASE("A seal is put in place of the one before", "[sql]") {
  SQLite::Database database = orchard();
  database.exec("DELETE FROM pears");
  const std::vector<SummedRows> all = each_table(kOrchard);
  REQUIRE(first_unsealed<kSums>(database, all) == "pears");
  seal_rows<kSums>(database, all[1]);
  CHECK_FALSE(first_unsealed<kSums>(database, all));
  CHECK(sql_count(database, "SELECT count(*) FROM sums") == 2);
}

TEST_CASE("Rows of several tables have one sum, of all of them", "[sql]") {
  SQLite::Database database = orchard();
  const std::array both{SummedRows{.what = "both", .queries = {all_rows_sql(kTrees), all_rows_sql(kPears)}}};
  CHECK(first_unsealed<kSums>(database, both) == "both");
  seal_rows<kSums>(database, both.front());
  CHECK_FALSE(first_unsealed<kSums>(database, both));
  database.exec("UPDATE pears SET place = 7 WHERE tree = 2");
  CHECK(first_unsealed<kSums>(database, both) == "both");
}

TEST_CASE("The sum by a key is that of its own rows, in the order of their key", "[sql]") {
  SQLite::Database database = orchard();
  KeyedSum sum;
  sum.add(database, kTrees);
  sum.add(database, kPears);
  const std::string first = sum.of(1);
  CHECK(first == sum_of_rows(database, {.what = {},
                                        .queries = {"SELECT 1, 'old'",
                                                    "SELECT 1, 1, 'a' UNION ALL SELECT 1, 2, 'b'"}}));
  database.exec("UPDATE pears SET name = 'd' WHERE tree = 2");
  CHECK(sum.of(1) == first);
  database.exec("UPDATE pears SET place = 3 WHERE tree = 1 AND place = 2");
  CHECK(sum.of(1) != first);
}
