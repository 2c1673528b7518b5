#pragma once

#include <cstddef>

#include <fmt/format.h>

#include "models/workload/trace_builder.h"
#include "sim/io/csv_reader.h"

namespace stockout {

/// Goes to the next row of a trace and begins it; false at the end. Rows whose quotes are broken are dropped.
[[nodiscard]] bool next_csv_row(CsvReader& csv, TraceBuilder& builder);

/// Throws BrokenRow unless the row has `width` fields.
inline void check_csv_width(const CsvReader& csv, std::size_t width) {
  if (csv.fields().size() == width) return;
  throw BrokenRow{.reason = fmt::format("number of fields: must be {}, as in the header", width),
                  .text = fmt::format("{}", csv.fields().size())};
}

/// Calls `read()` for each of the rows that are still to come. Those that break the format are dropped.
template <typename Read>
void for_each_csv_row(CsvReader& csv, std::size_t width, TraceBuilder& builder, Read read) {
  while (next_csv_row(csv, builder)) {
    builder.read_row([&] {
      check_csv_width(csv, width);
      read();
    });
  }
}

}  // namespace stockout
