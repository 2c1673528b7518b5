#pragma once

#include <cstddef>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>

#include "models/sweep/store_tables.h"
#include "sim/io/sql_rows.h"
#include "sim/io/table_sums.h"

namespace stockout {

// What a store holds proves itself: a bit that a disk or a copy flips is found, and not taken for a result.
// README.md says how the sums are made.

/// Seals what the store says of its sweep: once, when its tables are filled.
void seal_sweep(SQLite::Database& store);

/// Seals the input files, after each that was added.
void seal_inputs(SQLite::Database& store);

/// The check sums of points.
class PointSeals {
 public:
  explicit PointSeals(SQLite::Database& store);

  /// Seals a point whose rows are in the store, in the transaction that put them there.
  void seal(std::size_t point);

  /// Sum of its rows now.
  [[nodiscard]] std::string sum_of(std::size_t point);

 private:
  KeyedSum rows_;
  RowWriter<kCheckSumsTable> sums_;
};

/// Holds every table to be one whose cells are what is stored, and all that is in them to what was sealed.
/// Throws InputError that names the point if it is not.
void check_seals(SQLite::Database& store, const std::string& path);

}  // namespace stockout
