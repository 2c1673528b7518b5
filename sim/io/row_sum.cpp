#include "sim/io/row_sum.h"

#include <bit>
#include <variant>

#include <fmt/format.h>

namespace stockout {
namespace {

void append_word(std::string& bytes, std::uint64_t word) {
  for (unsigned shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift & 0xffU);
}

void append_text(std::string& bytes, const std::string& text) {
  append_word(bytes += 't', text.size());
  bytes += text;
}

// Its kind, then eight bytes of a number, or eight of its length and the text.
void append_cell(std::string& bytes, const SQLite::Column& cell) {
  if (cell.isNull()) {
    bytes += 'n';
  } else if (cell.isInteger()) {
    append_word(bytes += 'i', static_cast<std::uint64_t>(cell.getInt64()));
  } else if (cell.isFloat()) {
    append_word(bytes += 'r', std::bit_cast<std::uint64_t>(cell.getDouble()));
  } else {
    append_text(bytes, cell.getString());
  }
}

// The same of a cell that is in no database yet.
void append_cell(std::string& bytes, const StoredValue& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    append_word(bytes += 'i', static_cast<std::uint64_t>(*whole));
  } else if (const auto* number = std::get_if<double>(&cell)) {
    append_word(bytes += 'r', std::bit_cast<std::uint64_t>(*number));
  } else if (const auto* text = std::get_if<std::string>(&cell)) {
    append_text(bytes, *text);
  } else {
    bytes += 'n';
  }
}

}  // namespace

void RowSum::add(SQLite::Statement& query) {
  std::string bytes;
  while (query.executeStep()) {
    bytes.clear();
    for (int i = 0; i < query.getColumnCount(); ++i) append_cell(bytes, query.getColumn(i));
    hash_ = fnv1a(hash_, bytes);
  }
  query.reset();
}

void RowSum::add(SQLite::Database& database, const std::string& query) {
  SQLite::Statement rows{database, query};
  add(rows);
}

void RowSum::add(const StoredValue& cell) {
  std::string bytes;
  append_cell(bytes, cell);
  hash_ = fnv1a(hash_, bytes);
}

std::string RowSum::text() const { return fmt::format("{:016x}", hash_); }

}  // namespace stockout
