#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/kept/input_stamps.h"
#include "models/kept/store_lock.h"
#include "models/sweep/check_sums.h"
#include "models/sweep/point_rows.h"
#include "models/sweep/store_file.h"
#include "models/sweep/store_tables.h"
#include "models/sweep/sweep_file.h"
#include "sim/io/sql_rows.h"

namespace stockout {

/// The store of a sweep while it is being filled. Once add() has returned, the points are on the disk, and a
/// process killed at any moment leaves nothing of a point that it had not added.
class SweepStore {
 public:
  /// Begins a store, or with `resume` goes on with one that is there. Throws InputError if there is one and
  /// it is not to be resumed, if it is of another sweep, if one of its input files has changed, or if it
  /// cannot be used.
  SweepStore(const std::string& path, const Sweep& sweep, const Shard& shard, bool resume,
             InputStamps& inputs);

  /// Throws InputError if its points were read from other files than these, of a catalogue.
  void check_catalog(const std::vector<InputStamp>& catalog);

  /// By number: whether the point is done or failed.
  [[nodiscard]] std::vector<bool> finished();

  /// So far.
  [[nodiscard]] std::size_t failed_points();
  [[nodiscard]] const std::string& path() const { return path_; }

  /// In one transaction. Throws InputError if it cannot be written, or if the store has lost its name
  /// meanwhile.
  void add(const std::vector<FinishedPoint>& points);

 private:
  void insert_point(const PointRows& rows);
  void insert_results(const PointRows& rows);

  std::string path_;
  const Sweep& sweep_;
  StoreLock lock_;
  SQLite::Database store_;
  std::optional<RowWriter<kPointsTable>> points_;
  std::optional<RowWriter<kResultsTable>> results_;
  std::optional<PointSeals> seals_;
};

}  // namespace stockout
