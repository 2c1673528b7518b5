#include "models/repricing/record_sums.h"

#include <functional>
#include <map>

#include <fmt/format.h>

#include "models/repricing/record_tables.h"
#include "sim/core/error.h"
#include "sim/io/row_sum.h"
#include "sim/io/sql_rows.h"

namespace stockout {
namespace {

template <typename Table>
std::string sum_of(SQLite::Database& record, const Table& table) {
  RowSum sum;
  sum.add(record, fmt::format("SELECT * FROM main.{} ORDER BY {}", table.name, order_of(table)));
  return sum.text();
}

}  // namespace

void seal_record(SQLite::Database& record) {
  record.exec(create_sql(kTableSumsTable));
  RowWriter<kTableSumsTable> sums{record};
  const auto seal = [&](const auto& table) {
    sums.add(TableSum{.table = std::string{table.name}, .fnv1a = sum_of(record, table)});
  };
  std::apply([&](const auto&... tables) { (seal(tables), ...); }, kRecordTables);
}

void check_record_sums(SQLite::Database& record, const std::string& path) {
  std::map<std::string, std::string, std::less<>> sealed;
  read_rows<kTableSumsTable, TableSum>(
      record, [&](const RowReader&, const TableSum& sum) { sealed.emplace(sum.table, sum.fnv1a); });
  const auto check = [&](const auto& table) {
    const auto sum = sealed.find(table.name);
    if (sum != sealed.end() && sum->second == sum_of(record, table)) return;
    throw InputError{
        {.file = path},
        fmt::format("is damaged: its table {} is not what was written. Make the record again", table.name)};
  };
  std::apply([&](const auto&... tables) { (check(tables), ...); }, kRecordTables);
}

}  // namespace stockout
