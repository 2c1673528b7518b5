#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include <SQLiteCpp/SQLiteCpp.h>

#include "sim/io/sql_table.h"

namespace stockout {

/// What every RowWriter is.
class RowWriterBase {
 protected:
  RowWriterBase(SQLite::Database& database, const std::string& sql) : statement_{database, sql} {}
  void bind(int place, const StoredValue& value);
  void finish_row();

 private:
  SQLite::Statement statement_;
};

/// Puts rows into a table, an SqlTable.
template <const auto& kTable>
class RowWriter : RowWriterBase {
 public:
  /// `more`: columns behind those of the table's fields. `verb`: "INSERT", or with what else is to be done.
  explicit RowWriter(SQLite::Database& database, std::size_t more = 0, std::string_view verb = "INSERT")
      : RowWriterBase{database, insert_row_sql(kTable.name, kTable.columns() + more, verb)} {}

  /// A row: its structs, each field from its own.
  template <typename... Structs>
  void add(const Structs&... structs) {
    add_with({}, structs...);
  }
  /// The same, and the columns behind.
  template <typename... Structs>
  void add_with(std::span<const StoredValue> more, const Structs&... structs) {
    const std::tuple<const Structs&...> all{structs...};
    int place = 0;
    for_each_field(kTable.fields, [&]<typename Each>(const Each& field) {
      bind(++place, field.get(std::get<const typename Each::Owner&>(all)));
    });
    for (const StoredValue& value : more) bind(++place, value);
    finish_row();
  }
};

class RowReader;

/// Calls `take` with each row of a table: the reader, which can tell that the row is wrong, and the structs
/// that its fields belong to. `more`: columns behind the fields, each after a comma, for RowReader::more().
template <const auto& kTable, typename... Structs, typename Take>
void read_rows(SQLite::Database& database, const Take& take, std::string_view more = {});

/// The rows of a table in the order of its key. The file may have been changed by anybody: every field is
/// checked, and one that is wrong is an InputError with file, table, row and column.
class RowReader {
 public:
  /// Of the row that was read, the column `i`, from 0, behind the fields.
  [[nodiscard]] StoredValue more(std::size_t i) const { return value(fields_ + i); }

  /// The row is wrong.
  [[noreturn]] void fail(std::string_view problem) const;

 private:
  template <const auto& kTable, typename... Structs, typename Take>
  friend void read_rows(SQLite::Database& database, const Take& take, std::string_view more);

  RowReader(SQLite::Database& database, std::string_view table, std::size_t fields,
            const std::string& columns, const std::string& order);
  [[nodiscard]] bool next();
  [[nodiscard]] StoredValue value(std::size_t place) const;
  void hold(std::string_view column, const std::string& problem) const;
  void check_none(std::string_view column, const StoredValue& kept, std::size_t place) const;
  template <typename Table, typename... Structs>
  void set(const Table& table, const std::tuple<Structs&...>& row) const;

  std::string file_;
  std::string table_;
  std::size_t fields_;
  SQLite::Statement statement_;
  std::uint64_t row_ = 0;
};

template <typename Table, typename... Structs>
void RowReader::set(const Table& table, const std::tuple<Structs&...>& row) const {
  std::size_t place = 0;
  for_each_field(table.fields, [&]<typename Each>(const Each& field) {
    hold(field.name, field.set(std::get<typename Each::Owner&>(row), value(place++)));
  });
  place = 0;
  for_each_field(table.fields, [&]<typename Each>(const Each& field) {
    if constexpr (Each::is_part())
      check_none(field.name, field.get(std::get<typename Each::Owner&>(row)), place);
    ++place;
  });
}

template <const auto& kTable, typename... Structs, typename Take>
void read_rows(SQLite::Database& database, const Take& take, std::string_view more) {
  RowReader rows{database, kTable.name, kTable.columns(), column_names(kTable) + std::string{more},
                 order_of(kTable)};
  while (rows.next()) {
    std::tuple<Structs...> row;
    std::apply(
        [&](Structs&... structs) {
          rows.set(kTable, std::tie(structs...));
          take(rows, structs...);
        },
        row);
  }
}

}  // namespace stockout
