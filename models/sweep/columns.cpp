#include "models/sweep/columns.h"

#include <fmt/format.h>

namespace stockout {
namespace {

std::vector<ResultColumn> make_columns() {
  using Kind = ResultColumn::Kind;
  std::vector<ResultColumn> columns;
  for (const MeasureInfo& measure : measure_table()) {
    const auto add = [&](std::string_view suffix, Kind kind) {
      columns.push_back(
          {.name = fmt::format("{}{}", measure.name, suffix), .measure = measure.measure, .kind = kind});
    };
    add("", Kind::mean);
    add("_plus_minus", Kind::plus_minus);
    if (measure.may_be_missing()) add("_replications", Kind::replications);
    if (measure.may_be_bound()) add("_is_lower_bound", Kind::is_lower_bound);
  }
  return columns;
}

}  // namespace

const std::vector<ResultColumn>& result_columns() {
  static const std::vector<ResultColumn> kColumns = make_columns();
  return kColumns;
}

std::vector<std::string> reserved_columns() {
  std::vector<std::string> names{"point",    "state",        "error", "fingerprint", "strategy_number",
                                 "strategy", "replications", "rowid", "oid",         "_rowid_"};
  for (const ResultColumn& column : result_columns()) names.push_back(column.name);
  return names;
}

}  // namespace stockout
