#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

#include "sim/io/sql_rows.h"
#include "sim/io/sql_table.h"

namespace stockout {

// A database that proves itself: it has a table of check sums, of TableSum, each of the rows of a table or of
// several. So a bit that a disk or a copy flips is found, and not taken for data. The sums detect accidents,
// not attacks.

/// A row of a table of check sums.
struct TableSum {
  std::string what;   // a table, or a name of several
  std::string fnv1a;  // RowSum of their rows
};

/// The rows that one sum is of.
struct SummedRows {
  std::string what;
  std::vector<std::string> queries;  // the rows of each, one after another
};

/// "SELECT * ...": its rows in the order of its key.
template <typename... Fields>
[[nodiscard]] std::string all_rows_sql(const SqlTable<Fields...>& table) {
  return "SELECT * FROM main." + std::string{table.name} + " ORDER BY " + order_of(table);
}

/// A sum for each of these tables, under its name.
template <typename... Tables>
[[nodiscard]] std::vector<SummedRows> each_table(const std::tuple<Tables...>& tables) {
  std::vector<SummedRows> all;
  std::apply(
      [&](const Tables&... each) {
        (all.push_back({.what = std::string{each.name}, .queries = {all_rows_sql(each)}}), ...);
      },
      tables);
  return all;
}

/// The sum of the rows as they are now.
[[nodiscard]] std::string sum_of_rows(SQLite::Database& database, const SummedRows& rows);

/// Puts the sum of the rows as they are now into the table of check sums, in place of the one before.
template <const auto& kSums>
void seal_rows(SQLite::Database& database, const SummedRows& rows) {
  RowWriter<kSums>{database, 0, "INSERT OR REPLACE"}.add(
      TableSum{.what = rows.what, .fnv1a = sum_of_rows(database, rows)});
}

/// Which of `all` is the first whose rows are not those that were sealed; nothing: each is sealed. Throws
/// InputError for a row of the table of check sums that is wrong.
template <const auto& kSums>
[[nodiscard]] std::optional<std::string> first_unsealed(SQLite::Database& database,
                                                        std::span<const SummedRows> all) {
  std::map<std::string, std::string> sealed;
  read_rows<kSums, TableSum>(
      database, [&](const RowReader&, const TableSum& sum) { sealed.emplace(sum.what, sum.fnv1a); });
  for (const SummedRows& rows : all) {
    const auto sum = sealed.find(rows.what);
    if (sum == sealed.end() || sum->second != sum_of_rows(database, rows)) return rows.what;
  }
  return std::nullopt;
}

/// The sum of those rows of some tables that have one value in their first column.
class KeyedSum {
 public:
  /// Behind the tables before. It has a key, and `database` outlives this.
  template <typename... Fields>
  void add(SQLite::Database& database, const SqlTable<Fields...>& table) {
    add(database, table.name, column_names(table, 1), order_of(table));
  }

  /// Of the rows that have this value, table by table.
  [[nodiscard]] std::string of(std::int64_t key);

 private:
  void add(SQLite::Database& database, std::string_view table, const std::string& key,
           const std::string& order);

  std::vector<SQLite::Statement> rows_;
};

}  // namespace stockout
