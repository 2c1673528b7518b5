#include "models/sweep/columns.h"

#include <fmt/format.h>

#include "models/sweep/store_tables.h"

namespace stockout {
namespace {

std::vector<ResultColumn> make_columns() {
  std::vector<ResultColumn> columns;
  for (const MeasureInfo& measure : measure_table()) {
    for_each_column(measure, [&](const auto& field) {
      columns.push_back(
          {.name = fmt::format("{}{}", measure.name, field.name), .type = decltype(field.kind)::kSqlType});
    });
  }
  return columns;
}

}  // namespace

StoredSummary stored_summary(const Summary& summary) {
  StoredSummary stored{.mean = {},
                       .plus_minus = summary.half_width,
                       .replications = summary.replications,
                       .is_lower_bound = {}};
  if (summary.is_absent()) return stored;
  stored.mean = summary.mean;
  stored.is_lower_bound = summary.known == Value::Known::at_least;
  return stored;
}

bool has_column(const MeasureInfo& measure, std::string_view behind) {
  if (behind == "_replications") return measure.may_be_missing();
  return behind != "_is_lower_bound" || measure.may_be_bound();
}

const std::vector<ResultColumn>& result_columns() {
  static const std::vector<ResultColumn> kColumns = make_columns();
  return kColumns;
}

std::string create_results_sql() {
  std::string columns;
  for (const ResultColumn& column : result_columns())
    columns += fmt::format(", {} {}", sql_name(column.name), column.type);
  return create_sql(kResultsTable, columns);
}

std::vector<std::string> result_fields() {
  std::vector<std::string> names;
  for_each_field(kResultsTable.fields, [&](const auto& field) { names.emplace_back(field.name); });
  names.erase(names.begin(), names.begin() + kResultsTable.keys);
  return names;
}

std::vector<std::string> reserved_columns() {
  std::vector<std::string> names{"rowid", "oid", "_rowid_"};
  const auto reserve = [&](const auto& field) { names.emplace_back(field.name); };
  for_each_field(kPointsTable.fields, reserve);
  for_each_field(kResultsTable.fields, reserve);
  for (const ResultColumn& column : result_columns()) names.push_back(column.name);
  return names;
}

}  // namespace stockout
