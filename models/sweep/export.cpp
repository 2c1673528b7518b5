#include "models/sweep/export.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "models/sweep/columns.h"
#include "models/sweep/store_file.h"
#include "models/sweep/store_tables.h"

namespace stockout {
namespace {

// The shortest text that is this number and no other.
std::string cell_text(const SQLite::Column& cell) {
  if (cell.isFloat()) return fmt::format("{}", cell.getDouble());
  return cell.isNull() ? std::string{} : cell.getString();
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
    SQLite::Statement query{store, query_text(columns)};
    while (query.executeStep()) {
      for (int i = 0; i < query.getColumnCount(); ++i)
        cells[static_cast<std::size_t>(i)] = cell_text(query.getColumn(i));
      take(cells);
    }
    const auto points = store.execAndGet("SELECT count(*) FROM points").getInt64();
    return ExportOutcome{.points = static_cast<std::size_t>(points),
                         .of = head.shard_points(),
                         .worlds = head.worlds.size(),
                         .agreement = head.agreement};
  });
}

}  // namespace stockout
