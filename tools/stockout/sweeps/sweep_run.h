#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/sweep/run_sweep.h"
#include "tools/stockout/arguments/world_runs.h"
#include "tools/stockout/terminal/console.h"

namespace stockout {

/// Which worlds a sweep is run over.
struct SweepWorldsArguments {
  std::string file;  // empty: none
  std::size_t most = kDefaultWorlds;
};

/// Reads a sweep file and its scenario, and puts the worlds into it. Throws InputError, also for worlds that
/// are of another scenario, and for a sweep that varies what they say.
[[nodiscard]] Sweep read_sweep_over(const std::string& file, const std::string& catalog_dir,
                                    const std::vector<std::string>& price_files,
                                    const SweepWorldsArguments& worlds);

/// A sweep that has been read, and whose scenario is right by itself.
class SweepRun {
 public:
  /// `catalog_dir`: a folder with the catalogue's files; empty: the built-in one. Throws InputError.
  /// `price_files`: put on top of the scenario's prices.
  SweepRun(const std::string& file, const std::string& catalog_dir,
           const std::vector<std::string>& price_files, const SweepWorldsArguments& worlds, Console& console);

  /// Does the points of the shard that the store has not. The stamps of the catalogue are added to `how`.
  /// Throws InputError if the store cannot be used.
  [[nodiscard]] SweepOutcome fill(const std::string& store, bool resume, SweepOptions how);

  [[nodiscard]] const Sweep& sweep() const { return sweep_; }

  /// In the store after that.
  [[nodiscard]] std::size_t failed_points() const { return failed_; }

 private:
  void check_base();

  Sweep sweep_;
  std::string catalog_dir_;
  Catalog catalog_;
  ScenarioCache cache_;
  InputStamps inputs_;
  std::size_t failed_ = 0;
};

}  // namespace stockout
