#include "sim/io/sql_table.h"

#include <fmt/format.h>

namespace stockout {
namespace {

std::string column_sql(const SqlColumn& column, bool is_only_key) {
  std::string text = fmt::format("{} {}", column.name, column.type);
  if (is_only_key) return text + " PRIMARY KEY";
  return column.not_null ? text + " NOT NULL" : text;
}

std::string key_sql(std::span<const SqlColumn> columns, std::size_t keys) {
  std::string names;
  for (const SqlColumn& column : columns.first(keys)) (names += names.empty() ? "" : ", ") += column.name;
  return fmt::format(", PRIMARY KEY ({})", names);
}

}  // namespace

// A table whose only key is a whole number is kept by it: SQLite's own row number.
std::string create_table_sql(std::string_view name, std::span<const SqlColumn> columns, std::size_t keys,
                             std::string_view more) {
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i)
    (text += text.empty() ? "" : ", ") += column_sql(columns[i], keys == 1 && i == 0);
  text += more;
  if (keys > 1) text += key_sql(columns, keys);
  const bool by_row_number = keys == 0 || (keys == 1 && columns.front().type == "INTEGER");
  return fmt::format("CREATE TABLE {} ({}){}", name, text, by_row_number ? "" : " WITHOUT ROWID");
}

std::string insert_row_sql(std::string_view table, std::size_t columns, std::string_view verb) {
  std::string values = "?";
  for (std::size_t i = 1; i < columns; ++i) values += ", ?";
  return fmt::format("{} INTO {} VALUES ({})", verb, table, values);
}

std::string sql_name(std::string_view name) {
  std::string text{'"'};
  for (const char c : name) text += c == '"' ? std::string{"\"\""} : std::string{c};
  return text + '"';
}

}  // namespace stockout
