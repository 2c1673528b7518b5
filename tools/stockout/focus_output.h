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

/// The file of --focus: what one replication of each strategy costs, in rows of FinOps FOCUS.
class FocusOutput {
 public:
  /// Nothing is done where no file is asked for. One that cannot be written is told now. `scenario` outlives
  /// this.
  FocusOutput(const FocusArguments& arguments, const Scenario& scenario);

  /// Works out the rows of a run. May be called from several threads at once.
  void add(std::size_t strategy, std::uint64_t replication, const RunRecord& record);

  /// Lets add() see the first replication of every strategy of a comparison, after whoever looks already.
  void observe(CompareOptions& options);

  /// Writes the file, whole or not at all: strategies in the order of the world.
  void finish();

 private:
  struct Run {
    std::uint64_t replication = 0;
    std::vector<ChargeRow> rows;
  };

  const Scenario& scenario_;
  ShowbackOptions options_;
  std::unique_ptr<WholeFile> file_;
  std::mutex mutex_;                 // of runs_
  std::map<std::size_t, Run> runs_;  // by strategy
};

}  // namespace stockout
