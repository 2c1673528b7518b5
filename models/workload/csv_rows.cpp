#include "models/workload/csv_rows.h"

namespace stockout {

bool next_csv_row(CsvReader& csv, TraceBuilder& builder) {
  while (true) {
    try {
      if (!csv.next()) return false;
      builder.begin_row(csv.line());
      return true;
    } catch (const BrokenRecord& broken) {
      builder.begin_row(csv.line());
      builder.drop_broken({.reason = broken.problem()});
    }
  }
}

}  // namespace stockout
