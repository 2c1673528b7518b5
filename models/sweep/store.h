#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/experiment/strategy_result.h"
#include "models/sweep/check_sums.h"
#include "models/sweep/input_stamps.h"
#include "models/sweep/store_file.h"
#include "models/sweep/store_lock.h"
#include "models/sweep/sweep_file.h"

namespace stockout {

/// One strategy at one point.
struct StrategyRow {
  std::string name;
  std::size_t replications = 0;
  Summaries total;
};

/// What became of a point.
struct PointRows {
  std::size_t point = 0;
  std::string error;        // empty: it is done
  std::string fingerprint;  // of all its runs, in hexadecimal
  std::vector<StrategyRow> strategies;
};

/// A point and every file that it was read from.
struct FinishedPoint {
  PointRows rows;
  std::vector<InputStamp> inputs;
};

/// The store of a sweep while it is being filled. Once add() has returned, the points are on the disk, and a
/// process killed at any moment leaves nothing of a point that it had not added.
class SweepStore {
 public:
  /// Begins a store, or with `resume` goes on with one that is there. Throws InputError if there is one and
  /// it is not to be resumed, if it is of another sweep, if one of its input files has changed, or if it
  /// cannot be used.
  SweepStore(const std::string& path, const Sweep& sweep, const Shard& shard, bool resume,
             InputStamps& inputs);

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
  std::optional<SQLite::Statement> insert_point_;
  std::optional<SQLite::Statement> insert_result_;
  std::optional<PointSeals> seals_;
};

}  // namespace stockout
