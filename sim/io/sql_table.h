#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/io/field.h"

namespace stockout {

/// A table of a database, as a list of fields. A row may be spread over several structs: each field takes
/// its own.
template <typename... Fields>
struct SqlTable {
  std::string_view name;
  std::size_t keys = 0;   // the first so many fields are its key, by which rows are read in order
  bool not_null = false;  // SQLite itself refuses rows without a field that may not be missing
  std::tuple<Fields...> fields;

  [[nodiscard]] static constexpr std::size_t columns() { return sizeof...(Fields); }
};

template <typename... Fields>
[[nodiscard]] constexpr SqlTable<Fields...> checked_table(std::string_view name, std::size_t keys,
                                                          Fields... fields) {
  return {name, keys, true, {fields...}};
}
template <typename... Fields>
[[nodiscard]] constexpr SqlTable<Fields...> plain_table(std::string_view name, std::size_t keys,
                                                        Fields... fields) {
  return {name, keys, false, {fields...}};
}

/// A column as "CREATE TABLE" needs it.
struct SqlColumn {
  std::string_view name;
  std::string_view type;
  bool not_null = false;
};

/// "CREATE TABLE ...", with the first `keys` columns as its key. `more`: further columns, each after a
/// comma.
[[nodiscard]] std::string create_table_sql(std::string_view name, std::span<const SqlColumn> columns,
                                           std::size_t keys, std::string_view more = {});

template <typename... Fields>
[[nodiscard]] std::string create_sql(const SqlTable<Fields...>& table, std::string_view more = {}) {
  std::vector<SqlColumn> columns;
  for_each_field(table.fields, [&]<typename Each>(const Each& field) {
    columns.push_back({.name = field.name,
                       .type = decltype(field.kind)::kSqlType,
                       .not_null = table.not_null && !Each::may_be_missing()});
  });
  return create_table_sql(table.name, columns, table.keys, more);
}

/// Names of its columns, or of those of its key alone: "strategy, replication".
template <typename... Fields>
[[nodiscard]] std::string column_names(const SqlTable<Fields...>& table,
                                       std::size_t most = sizeof...(Fields)) {
  std::string names;
  std::size_t count = 0;
  for_each_field(table.fields, [&](const auto& field) {
    if (count++ < most) (names += names.empty() ? "" : ", ") += field.name;
  });
  return names;
}

/// The order of its rows: their key, or in a table without one the order in which they came.
template <typename... Fields>
[[nodiscard]] std::string order_of(const SqlTable<Fields...>& table) {
  return table.keys > 0 ? column_names(table, table.keys) : "rowid";
}

/// "INSERT INTO runs VALUES (?, ?)", or with another word than INSERT.
[[nodiscard]] std::string insert_row_sql(std::string_view table, std::size_t columns,
                                         std::string_view verb = "INSERT");

/// A name as SQL: in double quotes.
[[nodiscard]] std::string sql_name(std::string_view name);

}  // namespace stockout
