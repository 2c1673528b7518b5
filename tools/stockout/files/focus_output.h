#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "models/experiment/comparison.h"
#include "models/scenario/scenario.h"
#include "models/showback/charges.h"
#include "sim/io/whole_file.h"

namespace stockout {

/// The arguments about FOCUS rows of every command that has them.
struct FocusArguments {
  std::string file;
  std::string idle_cost;
  std::string period;

  /// Adds --focus, --focus-period and --idle-cost to a command. This object must outlive it.
  void add_to(CLI::App& command);

  /// Throws InputError for an unknown word, or one that is said without --focus.
  [[nodiscard]] ShowbackOptions options() const;
};

/// The file of --focus: what one replication of each strategy costs, in rows of FinOps FOCUS. It works them
/// out of that replication alone.
class FocusOutput : public RunObserver {
 public:
  /// Nothing is done where no file is asked for. One that cannot be written is reported now. `scenario`
  /// outlives this.
  FocusOutput(const FocusArguments& arguments, const Scenario& scenario, std::uint64_t replication = 0);

  void end(const RunPlace& run, const RunRecord& record, const Measures& measures) override;

  /// Writes the file, whole or not at all: strategies in the order of the world.
  void finish();

 private:
  const Scenario& scenario_;
  ShowbackOptions options_;
  std::unique_ptr<WholeFile> file_;
  std::uint64_t replication_;
  std::mutex mutex_;                                    // of rows_
  std::map<std::size_t, std::vector<ChargeRow>> rows_;  // by strategy
};

}  // namespace stockout
