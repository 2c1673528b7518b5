#include "sim/io/row_sum.h"

#include <bit>

#include <fmt/format.h>

namespace stockout {
namespace {

void append_word(std::string& bytes, std::uint64_t word) {
  for (unsigned shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift & 0xffU);
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
    const std::string text = cell.getString();
    append_word(bytes += 't', text.size());
    bytes += text;
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

std::string RowSum::text() const { return fmt::format("{:016x}", hash_); }

}  // namespace stockout
