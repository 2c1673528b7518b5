#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "models/kept/kept_work.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/terminal/console.h"

namespace stockout {

/// The store in which a command that reads a scenario keeps what it simulates.
struct StoreArguments {
  std::string file;  // empty: none
  bool resume = false;

  /// Adds --store and --resume to a command, which keeps `what` there: "each world". This object must outlive
  /// it.
  void add_to(CLI::App& command, const std::string& what);

  [[nodiscard]] bool is_asked() const { return !file.empty(); }
};

/// Stamps with names relative to the scenario's folder.
[[nodiscard]] InputStamps stamps_of(const ScenarioArguments& scenario);

/// Identity of work: the command line's words on the scenario, and every file that it was read from. `more`:
/// files beside them. Throws InputError for an input that cannot be read twice.
[[nodiscard]] WorkIdentity identity_of(const ScenarioArguments& arguments, const Scenario& scenario,
                                       const std::vector<std::string>& more, InputStamps& inputs);

/// State of a store while work is being done into it.
struct StoreUse {
  std::string what;       // is kept: "world"
  std::size_t found = 0;  // of them before
  std::function<void()> finish;
};

/// Does `work`, whose results are kept. After Ctrl-C all that is done is on the disk, the command says how to
/// go on, and this is false.
[[nodiscard]] bool keep_while(const StoreUse& store, const std::function<void()>& work, Console& console);

}  // namespace stockout
