#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "models/kept/kept_file.h"
#include "sim/io/row_sum.h"
#include "sim/io/sql_rows.h"

namespace stockout {

// Rows that prove themselves: each has the check sum of its other cells, so that a bit that a disk or a copy
// flips is no result. The sums detect accidents, not attacks.

/// Field of a table beside those of what it keeps.
struct RowSeal {
  std::string fnv1a;  // RowSum of the row's other cells, in their order
};

inline constexpr auto kRowSeal =
    field<&RowSeal::fnv1a>("fnv1a", AnyText{}, "check sum of the row's other cells");

/// Of a row: its structs, and the cells behind them.
template <const auto& kTable, typename... Structs>
[[nodiscard]] RowSeal seal_of(std::span<const StoredValue> more, const Structs&... structs) {
  const std::tuple<const Structs&...> all{structs...};
  RowSum sum;
  for_each_field(kTable.fields, [&]<typename Each>(const Each& field) {
    if constexpr (!std::is_same_v<typename Each::Owner, RowSeal>)
      sum.add(field.get(std::get<const typename Each::Owner&>(all)));
  });
  for (const StoredValue& cell : more) sum.add(cell);
  return {.fnv1a = sum.text()};
}

/// Puts a row and its seal into the table of `writer`.
template <const auto& kTable, typename... Structs>
void add_sealed(RowWriter<kTable>& writer, std::span<const StoredValue> more, const Structs&... structs) {
  writer.add_with(more, structs..., seal_of<kTable>(more, structs...));
}

/// Names of columns behind the fields, as read_rows() has them.
[[nodiscard]] inline std::string behind(std::span<const std::string> columns) {
  std::string names;
  for (const std::string& column : columns) names += ", " + sql_name(column);
  return names;
}

/// Calls `take` with each row whose seal holds: the reader, the cells of the columns `more`, and the structs.
/// Throws InputError for a row that is wrong.
template <const auto& kTable, typename... Structs, typename Take>
void read_sealed(SQLite::Database& store, std::span<const std::string> more, const Take& take) {
  read_rows<kTable, Structs..., RowSeal>(
      store,
      [&](const RowReader& row, Structs&... structs, const RowSeal& seal) {
        std::vector<StoredValue> cells;
        for (std::size_t i = 0; i < more.size(); ++i) cells.push_back(row.more(i));
        if (seal_of<kTable>(cells, structs...).fnv1a != seal.fnv1a)
          row.fail("it is not what was written. " + std::string{kBeginAnew});
        take(row, cells, structs...);
      },
      behind(more));
}

}  // namespace stockout
