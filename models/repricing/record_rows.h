#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <SQLiteCpp/SQLiteCpp.h>

#include "models/catalog/date.h"
#include "models/repricing/record_bounds.h"
#include "sim/core/quantity.h"

namespace stockout {

/// The rows of a query on a record, cells one after another. The file may have been changed by anybody: every
/// cell is checked, and what is wrong is an InputError that names the table.
class RecordRows {
 public:
  /// `columns` of `table`, in the order of its key, or `order`.
  RecordRows(SQLite::Database& database, std::string file, std::string_view table, std::string_view columns,
             std::string_view order);

  /// Goes to the next row; false if there is none.
  [[nodiscard]] bool next();

  /// The next cell of the row.
  [[nodiscard]] std::int64_t whole(std::int64_t least, std::int64_t most);
  [[nodiscard]] std::optional<std::int64_t> whole_or_none(std::int64_t least, std::int64_t most);
  [[nodiscard]] bool flag() { return whole(0, 1) == 1; }
  [[nodiscard]] double number();  // finite
  [[nodiscard]] std::optional<double> number_or_none();
  [[nodiscard]] std::string text();  // UTF-8 without control characters but tabs
  [[nodiscard]] std::optional<std::string> text_or_none();
  [[nodiscard]] std::string raw_text();  // any
  [[nodiscard]] std::uint64_t number_in_text(int base);
  [[nodiscard]] Date day();
  [[nodiscard]] std::optional<Date> day_or_none();
  [[nodiscard]] MachineHourPrice price() { return MachineHourPrice{whole(0, kRecordMostPrice)}; }
  /// One of the names, as the enumerator in that place.
  template <typename Enum>
  [[nodiscard]] Enum choice(std::span<const std::string_view> names) {
    return static_cast<Enum>(place_of(text(), names));
  }
  template <typename Enum>
  [[nodiscard]] std::optional<Enum> choice_or_none(std::span<const std::string_view> names) {
    const auto name = text_or_none();
    return name ? std::optional{static_cast<Enum>(place_of(*name, names))} : std::nullopt;
  }
  /// The number of the row in a table whose rows are numbered from 0 without a gap.
  void check_number(std::size_t expected);

  /// The row is wrong.
  [[noreturn]] void fail(std::string_view problem) const;

 private:
  [[nodiscard]] bool is_none() const;
  [[nodiscard]] Date day_in(const std::string& text) const;
  [[nodiscard]] std::size_t place_of(const std::string& name, std::span<const std::string_view> names) const;

  std::string file_;
  std::string table_;
  SQLite::Statement statement_;
  std::uint64_t row_ = 0;
  int cell_ = 0;
};

}  // namespace stockout
