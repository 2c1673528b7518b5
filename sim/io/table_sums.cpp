#include "sim/io/table_sums.h"

#include <fmt/format.h>

#include "sim/io/row_sum.h"

namespace stockout {

std::string sum_of_rows(SQLite::Database& database, const SummedRows& rows) {
  RowSum sum;
  for (const std::string& query : rows.queries) sum.add(database, query);
  return sum.text();
}

void KeyedSum::add(SQLite::Database& database, std::string_view table, const std::string& key,
                   const std::string& order) {
  rows_.emplace_back(database,
                     fmt::format("SELECT * FROM main.{} WHERE {} = ? ORDER BY {}", table, key, order));
}

std::string KeyedSum::of(std::int64_t key) {
  RowSum sum;
  for (SQLite::Statement& rows : rows_) {
    rows.bind(1, key);
    sum.add(rows);
  }
  return sum.text();
}

}  // namespace stockout
