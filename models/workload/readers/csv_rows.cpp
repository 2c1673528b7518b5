#include "models/workload/readers/csv_rows.h"

namespace stockout {

void check_one_line(const CsvReader& csv) {
  if (csv.last_line() == csv.line()) return;
  csv.fail(fmt::format("breaks its format and goes on to line {}: is a quote not closed?", csv.last_line()));
}

bool next_csv_row(CsvReader& csv, TraceBuilder& builder) {
  while (true) {
    try {
      if (!csv.next()) return false;
      builder.begin_row(csv.line());
      return true;
    } catch (const BrokenRecord& broken) {
      check_one_line(csv);
      builder.begin_row(csv.line());
      builder.drop_broken({.reason = broken.problem()});
    }
  }
}

}  // namespace stockout
