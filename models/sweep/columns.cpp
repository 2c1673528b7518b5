#include "models/sweep/columns.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace stockout {
namespace {

bool may_be_bound(Measure measure) {
  return (measure >= Measure::wait_mean && measure <= Measure::wait_max) || measure == Measure::held_late ||
         measure == Measure::lost_between_wait;
}

// Means and ratios, which a replication may not have; counts and amounts are always there.
bool may_be_missing(const MeasureInfo& measure) {
  constexpr std::array<std::string_view, 4> kUnits{"share", "h", "per job", "USD per GPU-h"};
  return std::ranges::find(kUnits, measure.unit) != kUnits.end();
}

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
    if (may_be_missing(measure)) add("_replications", Kind::replications);
    if (may_be_bound(measure.measure)) add("_is_lower_bound", Kind::is_lower_bound);
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
