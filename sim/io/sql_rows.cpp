#include "sim/io/sql_rows.h"

#include <fmt/format.h>

#include "sim/core/error.h"

namespace stockout {
namespace {

struct Counted {
  std::size_t number = 0;
};

}  // namespace

void RowWriterBase::bind(int place, const StoredValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    statement_.bind(place, *whole);
  } else if (const auto* number = std::get_if<double>(&value)) {
    statement_.bind(place, *number);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    statement_.bind(place, *text);
  } else {
    statement_.bind(place);
  }
}

void RowWriterBase::finish_row() {
  statement_.exec();
  statement_.reset();
}

RowReader::RowReader(SQLite::Database& database, const std::string& query, std::string_view rows,
                     std::size_t fields)
    : file_{database.getFilename()}, rows_{rows}, fields_{fields}, statement_{database, query} {}

bool RowReader::next() {
  ++row_;
  return statement_.executeStep();
}

StoredValue RowReader::value(std::size_t place) const {
  const SQLite::Column cell = statement_.getColumn(static_cast<int>(place));
  if (cell.isNull()) return {};
  if (cell.isInteger()) return cell.getInt64();
  if (cell.isFloat()) return cell.getDouble();
  if (!cell.isText()) hold(cell.getName(), "must be a number or a text");
  return cell.getString();
}

void RowReader::hold(std::string_view column, const std::string& problem) const {
  if (!problem.empty()) fail(fmt::format("{} {}", column, problem));
}

// Fields of one optional member are there or missing together.
void RowReader::check_none(std::string_view column, const StoredValue& kept, std::size_t place) const {
  const bool is_none = std::holds_alternative<std::monostate>(value(place));
  if (is_none != std::holds_alternative<std::monostate>(kept))
    hold(column, "must be there if the others are");
}

void RowReader::fail(std::string_view problem) const {
  throw InputError{{.file = file_}, fmt::format("is damaged: row {} of {}: {}", row_, rows_, problem)};
}

std::size_t sql_count(SQLite::Database& database, const std::string& query) {
  Counted counted;
  read_query<Counted>(database, query, "what is counted in it",
                      std::tuple{field<&Counted::number>("the count", Whole{})},
                      [&](const RowReader&, const Counted& found) { counted = found; });
  return counted.number;
}

}  // namespace stockout
