#pragma once

#include <cstdint>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>

#include "sim/core/fnv1a.h"
#include "sim/io/field_kinds.h"

namespace stockout {

/// The check sum of rows of a database: FNV-1a in 64 bits over their cells. A bit that a disk or a copy flips
/// changes it. A cell is `n` for NULL, `i` or `r` and 8 bytes for an integer or a number, or `t`, 8 bytes of
/// its length and the text. The lowest byte is first.
class RowSum {
 public:
  /// Adds all rows of a query, whose values are bound, in its order, and resets it.
  void add(SQLite::Statement& query);
  void add(SQLite::Database& database, const std::string& query);
  /// Adds a cell.
  void add(const StoredValue& cell);

  /// 16 hexadecimal digits.
  [[nodiscard]] std::string text() const;

 private:
  std::uint64_t hash_ = kFnv1aBegin;
};

}  // namespace stockout
