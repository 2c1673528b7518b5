#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace stockout {

struct ExportOutcome {
  std::size_t points = 0;  // in the store
  std::size_t of = 0;      // that the sweep, or its shard, has
  std::size_t worlds = 0;  // over which each point is; 0: it is as its scenario is written
  std::string agreement;   // of these with a history: "agree with waits.csv"
};

/// Gives the rows of a store one after another, the names of the columns first: a row for each point and
/// strategy, by point, and one for each failed point. The same cells for the same results, wherever and in
/// whatever order they came about. Throws InputError if the file is no store of ours.
ExportOutcome export_rows(const std::string& path,
                          const std::function<void(const std::vector<std::string>& cells)>& take);

}  // namespace stockout
