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

/// The part of a RowWriter that depends on no row type.
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

/// Calls `take` with each row of a table, in the order of its key: the reader, which can tell that the row is
/// wrong, and the structs that its fields belong to. `more`: columns behind the fields, each after a comma,
/// for RowReader::more().
template <const auto& kTable, typename... Structs, typename Take>
void read_rows(SQLite::Database& database, const Take& take, std::string_view more = {});

/// The same of a query, whose first columns are `fields`. `rows`: how messages call its rows, "its points".
template <typename... Structs, typename... Fields, typename Take>
void read_query(SQLite::Database& database, const std::string& query, std::string_view rows,
                const std::tuple<Fields...>& fields, const Take& take);

/// The number that a query counts: "SELECT count(*) FROM runs".
[[nodiscard]] std::size_t sql_count(SQLite::Database& database, const std::string& query);

/// Rows one by one. The file may have been changed by anybody: every field is checked, and one that is wrong
/// is an InputError with file, table, row and column.
class RowReader {
 public:
  /// Of the row that was read, the column `i`, from 0, behind the fields.
  [[nodiscard]] StoredValue more(std::size_t i) const { return value(fields_ + i); }

  /// The row is wrong.
  [[noreturn]] void fail(std::string_view problem) const;

 private:
  template <typename... Structs, typename... Fields, typename Take>
  friend void read_query(SQLite::Database& database, const std::string& query, std::string_view rows,
                         const std::tuple<Fields...>& fields, const Take& take);

  RowReader(SQLite::Database& database, const std::string& query, std::string_view rows, std::size_t fields);
  [[nodiscard]] bool next();
  [[nodiscard]] StoredValue value(std::size_t place) const;
  void hold(std::string_view column, const std::string& problem) const;
  void check_none(std::string_view column, const StoredValue& kept, std::size_t place) const;
  template <typename Fields, typename... Structs>
  void set(const Fields& fields, const std::tuple<Structs&...>& row) const;

  std::string file_;
  std::string rows_;
  std::size_t fields_;
  SQLite::Statement statement_;
  std::uint64_t row_ = 0;
};

template <typename Fields, typename... Structs>
void RowReader::set(const Fields& fields, const std::tuple<Structs&...>& row) const {
  std::size_t place = 0;
  for_each_field(fields, [&]<typename Each>(const Each& field) {
    hold(field.name, field.set(std::get<typename Each::Owner&>(row), value(place++)));
  });
  place = 0;
  for_each_field(fields, [&]<typename Each>(const Each& field) {
    if constexpr (Each::is_part())
      check_none(field.name, field.get(std::get<typename Each::Owner&>(row)), place);
    ++place;
  });
}

template <typename... Structs, typename... Fields, typename Take>
void read_query(SQLite::Database& database, const std::string& query, std::string_view rows,
                const std::tuple<Fields...>& fields, const Take& take) {
  RowReader reader{database, query, rows, sizeof...(Fields)};
  while (reader.next()) {
    std::tuple<Structs...> row;
    std::apply(
        [&](Structs&... structs) {
          reader.set(fields, std::tie(structs...));
          take(reader, structs...);
        },
        row);
  }
}

template <const auto& kTable, typename... Structs, typename Take>
void read_rows(SQLite::Database& database, const Take& take, std::string_view more) {
  const std::string name{kTable.name};
  const std::string query = "SELECT " + column_names(kTable) + std::string{more} + " FROM main." + name +
                            " ORDER BY " + order_of(kTable);
  read_query<Structs...>(database, query, "its table " + name, kTable.fields, take);
}

}  // namespace stockout
