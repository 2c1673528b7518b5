#include "tools/stockout/answers/recommend_arguments.h"

#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/scenario/draft/scenario_cache.h"
#include "models/scenario/format/keys.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

// Every world has to be seen before anything is judged.
void check_rounds(const PurchaseWorlds& worlds, std::size_t most) {
  if (worlds.all().empty() || most >= first_look(worlds.round())) return;
  refuse_option(
      "--most-replications",
      fmt::format("must be at least {}: the worlds take turns, {} in a round. Or fewer --most-worlds",
                  first_look(worlds.round()), worlds.round()));
}

}  // namespace

void refuse_option(std::string_view option, const std::string& problem) {
  throw InputError{{.file = "command line", .pointer = std::string{option}}, problem};
}

RecommendationRules RecommendArguments::rules() const {
  RecommendationRules rules{.indifference_usd = indifference,
                            .longest_obligation = {},
                            .error = 1 - confidence / 100,
                            .most = most_replications,
                            .threads = threads};
  if (indifference && !(*indifference > 0 && std::isfinite(*indifference)))
    refuse_option("--indifference", "must be above 0 US dollars");
  if (!(confidence >= 50 && confidence <= 99.9999))
    refuse_option("--confidence", "must be 50 to 99.9999, per cent");
  if (!most_obligation.empty()) {
    rules.longest_obligation =
        kObligationTerms.at(choose("--most-obligation", "obligation", most_obligation, kObligationNames));
  }
  return rules;
}

std::optional<ChosenWorlds> chosen_worlds(const RecommendArguments& arguments, ScenarioArguments& scenario) {
  if (arguments.worlds.empty()) return std::nullopt;
  std::optional chosen{choose_worlds(arguments.worlds, arguments.most_worlds, scenario)};
  check_rounds(purchase_worlds(chosen, scenario), arguments.most_replications);
  return chosen;
}

PurchaseWorlds purchase_worlds(const std::optional<ChosenWorlds>& chosen, const ScenarioArguments& middle) {
  if (!chosen) return {};
  const WorldTurns turns = turns_of(*chosen);
  std::vector<PurchaseWorld> worlds;
  for (std::size_t i = 0; i < chosen->worlds.size(); ++i) {
    worlds.push_back(
        {.name = chosen->worlds[i].name, .turns = turns.in_round()[i], .changes = chosen->worlds[i].changes});
  }
  return {std::move(worlds), middle.placed};
}

void tell_worlds(const std::optional<ChosenWorlds>& chosen, Scenario& scenario) {
  if (!chosen) return;
  scenario.inputs.push_back(chosen->file);
  scenario.assumptions.push_back(middle_assumption(chosen->file));
}

Purchases read_purchases(const ScenarioArguments& scenario, const Scenario& written, PurchaseWorlds worlds,
                         Console& console) {
  ScenarioCache cache;
  ProgressMeter progress{console, "combinations"};
  const std::size_t of = ChoiceGrid{written.decide.decisions, written.file}.points();
  return {written,
          [&](const std::vector<PlacedValue>& choices) { return scenario.load_to_run(choices, &cache); },
          [&](std::size_t done) { progress.show(done, of); }, std::move(worlds)};
}

void with_runs_shown(Console& console, std::size_t ways,
                     const std::function<void(const std::function<void(std::size_t)>& done)>& work) {
  std::atomic<std::size_t> runs{0};
  const StatusLine line{console, [&](double elapsed_s) {
                          return fmt::format("{} of {}, {:.0f} s", counted(runs, "run"),
                                             counted(ways, "way to buy", "ways to buy"), elapsed_s);
                        }};
  work([&](std::size_t done) { runs = done; });
}

}  // namespace stockout
