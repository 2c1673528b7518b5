#include "models/sweep/export.h"

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

std::vector<std::string> exported_columns(const StoreHead& head) {
  std::vector<std::string> names;
  for_each_field(kPointsTable.fields, [&](const auto& field) { names.emplace_back(field.name); });
  for (const StoredParameter& parameter : head.parameters) names.push_back(parameter.column);
  names.insert(names.end(), {"strategy", "rank", "goals_missed", "never_ran", "replications"});
  for (const ResultColumn& column : result_columns()) names.push_back(column.name);
  return names;
}

// The table that has the column: both have `point`.
std::string query_text(const std::vector<std::string>& names) {
  std::string columns;
  for (const std::string& name : names) {
    columns +=
        fmt::format("{}{}", columns.empty() ? "" : ", ", name == "point" ? "points.point" : sql_name(name));
  }
  return fmt::format(
      "SELECT {} FROM points LEFT JOIN results ON results.point = points.point ORDER BY points.point, "
      "strategy_number",
      columns);
}

}  // namespace

ExportOutcome export_rows(const std::string& path,
                          const std::function<void(const std::vector<std::string>& cells)>& take) {
  if (!store_exists(path)) throw InputError{{.file = path}, "is not there, or empty"};
  SQLite::Database store = open_store(path, SQLite::OPEN_READWRITE);
  return with_store(path, [&] {
    const SQLite::Transaction snapshot{store};
    const StoreHead head = read_head(store);
    const std::vector<std::string> names = exported_columns(head);
    take(names);
    SQLite::Statement query{store, query_text(names)};
    std::vector<std::string> cells(names.size());
    while (query.executeStep()) {
      for (int i = 0; i < query.getColumnCount(); ++i)
        cells[static_cast<std::size_t>(i)] = cell_text(query.getColumn(i));
      take(cells);
    }
    const auto points = store.execAndGet("SELECT count(*) FROM points").getInt64();
    return ExportOutcome{.points = static_cast<std::size_t>(points), .of = head.shard_points()};
  });
}

}  // namespace stockout
