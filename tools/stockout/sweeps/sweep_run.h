#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/sweep/run_sweep.h"
#include "tools/stockout/terminal/console.h"

namespace stockout {

/// A sweep that has been read, and whose scenario is right by itself.
class SweepRun {
 public:
  /// `catalog_dir`: a folder with the catalogue's files; empty: the built-in one. Throws InputError.
  /// `price_files`: put on top of the scenario's prices.
  SweepRun(const std::string& file, const std::string& catalog_dir,
           const std::vector<std::string>& price_files, Console& console);

  /// Does the points of the shard that the store has not. The stamps of the catalogue are added to `how`.
  /// Throws InputError if the store cannot be used.
  [[nodiscard]] SweepOutcome fill(const std::string& store, bool resume, SweepOptions how);

  /// In the store after that.
  [[nodiscard]] std::size_t failed_points() const { return failed_; }

 private:
  Sweep sweep_;
  std::string catalog_dir_;
  Catalog catalog_;
  ScenarioCache cache_;
  InputStamps inputs_;
  std::size_t failed_ = 0;
};

}  // namespace stockout
