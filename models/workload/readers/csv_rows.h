#pragma once

#include <cstddef>

#include <fmt/format.h>

#include "models/workload/trace_builder.h"
#include "sim/io/csv_reader.h"

namespace stockout {

/// Throws InputError if the record, which breaks its format, goes over several lines: with a quote that was
/// left open, it may have swallowed all the rows up to the next quote.
void check_one_line(const CsvReader& csv);

/// Goes to the next row of a trace and begins it; false at the end. Rows whose quotes are broken are dropped.
/// Throws InputError as check_one_line() does.
[[nodiscard]] bool next_csv_row(CsvReader& csv, TraceBuilder& builder);

/// Throws BrokenRow unless the row has `width` fields.
inline void check_csv_width(const CsvReader& csv, std::size_t width) {
  if (csv.fields().size() == width) return;
  throw BrokenRow{.reason = fmt::format("number of fields: must be {}, as in the header", width),
                  .text = fmt::format("{}", csv.fields().size())};
}

/// Calls `read()`, which reads the row that has begun, and drops the row if it breaks the format. Throws
/// InputError as check_one_line() does.
template <typename Read>
void read_csv_row(const CsvReader& csv, std::size_t width, TraceBuilder& builder, Read read) {
  builder.read_row([&] {
    try {
      check_csv_width(csv, width);
      read();
    } catch (const BrokenRow&) {
      check_one_line(csv);
      throw;
    }
  });
}

/// The same for each of the rows that are still to come.
template <typename Read>
void for_each_csv_row(CsvReader& csv, std::size_t width, TraceBuilder& builder, Read read) {
  while (next_csv_row(csv, builder)) read_csv_row(csv, width, builder, read);
}

}  // namespace stockout
