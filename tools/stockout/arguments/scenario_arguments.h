#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "models/scenario/scenario.h"
#include "tools/stockout/terminal/console.h"

namespace stockout {

/// The arguments of every command that reads a scenario.
struct ScenarioArguments {
  std::string file;
  std::vector<std::string> sets;  // "/json/pointer=value"
  std::string catalog_dir;
  std::vector<std::string> price_files;
  std::optional<std::uint64_t> seed;
  std::optional<int> replications;
  std::vector<PlacedValue> placed;  // what another file puts into it, before what a call does
  std::optional<WindowPart> part;   // of the window: read that alone

  /// Adds SCENARIO, --set, --catalog, --prices and --seed to a command. This object must outlive it.
  void add_to(CLI::App& command);
  /// Adds --replications to a command that runs several, and returns it.
  CLI::Option* add_replications_to(CLI::App& command);

  /// Reads the scenario as the command line asks, for a look: a warm-up by rule is not found. Throws
  /// InputError. `more` are put into it last.
  [[nodiscard]] Scenario load(const std::vector<PlacedValue>& more = {}) const;
  /// The same, and says on a terminal how far it is with a large trace.
  [[nodiscard]] Scenario load(Console& console) const;

  /// The same two for a scenario that is to be run. On a terminal the second warns of an old price list.
  /// `cache`: what scenarios that are read one after another have in common.
  [[nodiscard]] Scenario load_to_run(const std::vector<PlacedValue>& more = {},
                                     ScenarioCache* cache = nullptr) const;
  [[nodiscard]] Scenario load_to_run(Console& console) const;

  /// Options of the command line for reading it.
  [[nodiscard]] ScenarioOptions options() const;
};

/// Adds --prices, which may be given again, to a command.
CLI::Option* add_prices_to(CLI::App& command, std::vector<std::string>& files);

/// The place of `given` in `names`; else InputError that names the option and the nearest name. `what` is
/// the kind of name.
[[nodiscard]] std::size_t choose(std::string_view option, std::string_view what, const std::string& given,
                                 std::span<const std::string_view> names);

/// The names as the values of an option are shown: "csv|json". What completes command lines reads it there.
[[nodiscard]] std::string choices(std::span<const std::string_view> names);

/// The place of the strategy of that name, which an option gives; else InputError that names the nearest.
[[nodiscard]] std::size_t find_strategy(const Scenario& scenario, const std::string& name,
                                        std::string_view option = "--strategy");

}  // namespace stockout
