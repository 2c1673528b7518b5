#include "models/sweep/export.h"

#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "models/sweep/columns.h"
#include "models/sweep/store_file.h"
#include "models/sweep/store_tables.h"
#include "sim/io/sql_rows.h"

namespace stockout {
namespace {

// The shortest text that is this number and no other.
std::string cell_text(const StoredValue& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  const auto* whole = std::get_if<std::int64_t>(&cell);
  return whole != nullptr ? fmt::format("{}", *whole) : std::string{};
}

struct ExportedColumn {
  std::string_view table;
  std::string name;
};

std::vector<ExportedColumn> exported_columns(const StoreHead& head) {
  std::vector<ExportedColumn> columns;
  const auto add = [&](std::string_view table, std::string name) {
    columns.push_back({.table = table, .name = std::move(name)});
  };
  for_each_field(kPointsTable.fields,
                 [&](const auto& field) { add(kPointsTable.name, std::string{field.name}); });
  for (const StoredParameter& parameter : head.parameters) add(kPointsTable.name, parameter.column);
  for (std::string& name : result_fields()) add(kResultsTable.name, std::move(name));
  for (const ResultColumn& column : result_columns()) add(kResultsTable.name, column.name);
  return columns;
}

// A name alone that no table has would be a text for SQLite.
std::string query_text(const std::vector<ExportedColumn>& columns) {
  std::string selected;
  for (const auto& [table, name] : columns)
    selected += fmt::format("{}{}.{}", selected.empty() ? "" : ", ", table, sql_name(name));
  return fmt::format(
      "SELECT {} FROM points LEFT JOIN results ON results.point = points.point ORDER BY points.point, "
      "strategy_number",
      selected);
}

}  // namespace

ExportOutcome export_rows(const std::string& path,
                          const std::function<void(const std::vector<std::string>& cells)>& take) {
  if (!store_exists(path)) throw InputError{{.file = path}, "is not there, or empty"};
  SQLite::Database store = open_store(path, SQLite::OPEN_READWRITE);
  return with_store(path, [&] {
    const SQLite::Transaction snapshot{store};
    const StoreHead head = read_head(store);
    const std::vector<ExportedColumn> columns = exported_columns(head);
    std::vector<std::string> cells;
    for (const ExportedColumn& column : columns) cells.push_back(column.name);
    take(cells);
    read_query(store, query_text(columns), "its points with their results", std::tuple{},
               [&](const RowReader& row) {
                 for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = cell_text(row.more(i));
                 take(cells);
               });
    return ExportOutcome{.points = sql_count(store, "SELECT count(*) FROM points"),
                         .of = head.shard_points(),
                         .worlds = head.worlds.size(),
                         .agreement = head.agreement};
  });
}

}  // namespace stockout
