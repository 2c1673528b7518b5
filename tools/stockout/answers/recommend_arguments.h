#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "models/recommend/purchases.h"
#include "models/recommend/recommendation.h"
#include "tools/stockout/arguments/report_arguments.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/arguments/store_arguments.h"
#include "tools/stockout/arguments/world_runs.h"
#include "tools/stockout/terminal/console.h"
#include "tools/stockout/traces/trace_arguments.h"

namespace stockout {

/// Arguments of a recommendation on the command line.
struct RecommendArguments {
  ScenarioArguments scenario;
  ReportArguments report;
  std::string most_obligation;
  std::optional<double> indifference;
  double confidence = 95;
  std::size_t most_replications = 1'000;
  int threads = 0;
  std::string winner;
  std::string orders;
  std::string page;
  StoreArguments store;
  std::string worlds;
  std::size_t most_worlds = kDefaultWorlds;
  TraceArguments observed{.file = {}, .format = {}, .prefix = "--observed-"};
  std::string split;
  std::string baseline;  // a strategy; empty: the first

  /// Throws InputError.
  [[nodiscard]] RecommendationRules rules() const;
};

/// Throws InputError that names an option.
[[noreturn]] void refuse_option(std::string_view option, const std::string& problem);

/// The worlds of --worlds, if it is there, of which the one in the middle is put into `scenario`. Throws
/// InputError, also if they are too many for --most-replications.
[[nodiscard]] std::optional<ChosenWorlds> chosen_worlds(const RecommendArguments& arguments,
                                                        ScenarioArguments& scenario);

/// The same as purchases are judged over them; `middle`: that with the one in the middle.
[[nodiscard]] PurchaseWorlds purchase_worlds(const std::optional<ChosenWorlds>& chosen,
                                             const ScenarioArguments& middle);

/// Notes in a scenario in the world in the middle that it is.
void tell_worlds(const std::optional<ChosenWorlds>& chosen, Scenario& scenario);

/// Reads all that can be bought; on a terminal it says how far. `scenario`: without any world.
[[nodiscard]] Purchases read_purchases(const ScenarioArguments& scenario, const Scenario& written,
                                       PurchaseWorlds worlds, Console& console);

/// Does what runs simulations, and on a terminal says how many of `ways`.
void with_runs_shown(Console& console, std::size_t ways,
                     const std::function<void(const std::function<void(std::size_t)>& done)>& work);

}  // namespace stockout
