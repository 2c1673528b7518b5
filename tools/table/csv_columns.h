#pragma once

#include <string>
#include <string_view>

#include "tools/table/csv_text.h"

namespace stockout {

/// A column of a CSV file: its name, and what a row has in it, which csv_line() puts into quotes where that
/// is necessary. A list of them is the whole format, so that no header disagrees with its rows.
template <typename Row>
struct CsvColumn {
  std::string_view name;
  std::string (*text)(const Row& row);
};

/// The names, and a line break. `columns`: a list of CsvColumn.
template <typename Columns>
[[nodiscard]] std::string csv_header(const Columns& columns) {
  return csv_row([&](auto add) {
    for (const auto& column : columns) add(column.name);
  });
}

/// A row, and a line break.
template <typename Columns, typename Row>
[[nodiscard]] std::string csv_line(const Columns& columns, const Row& row) {
  return csv_row([&](auto add) {
    for (const auto& column : columns) add(csv_text(column.text(row)));
  });
}

}  // namespace stockout
