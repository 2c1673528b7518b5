#include "tools/report/comparison/comparison_json.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/billing/cost.h"
#include "models/measures/grouping.h"
#include "models/measures/pipeline_tally.h"
#include "sim/core/hours.h"
#include "tools/report/comparison/assumption_tables.h"
#include "tools/report/comparison/bound_tables.h"
#include "tools/report/comparison/comparison_tables.h"
#include "tools/report/comparison/cost_columns.h"
#include "tools/report/comparison/deciding_price.h"
#include "tools/report/comparison/evictions.h"
#include "tools/report/comparison/grouped_rows.h"
#include "tools/report/comparison/measure_columns.h"
#include "tools/report/comparison/notes.h"
#include "tools/report/comparison/other_costs.h"
#include "tools/report/comparison/report.h"
#include "tools/report/comparison/rules_text.h"
#include "tools/report/comparison/used_prices.h"
#include "tools/report/comparison/world_tables.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

using Json = nlohmann::ordered_json;

Json verdict_of(const Report& report) {
  if (report.verdict == nullptr) return nullptr;
  return {{"kind", report.verdict->kind_name()},
          {"strategy", report.comparison.strategies[report.verdict->strategy].name},
          {"sentence", report.verdict->sentence}};
}

Json deciding_price_of(const Report& report) {
  const auto price = deciding_price(report);
  if (!price) return nullptr;
  const World& world = report.scenario.world;
  const PriceLine& line = world.price_lines[price->line];
  Json entry{{"machine", world.machines[index(line.machine)].name},
             {"region", line.region},
             {"model", kPriceModelNames[static_cast<std::size_t>(line.model)]},
             {"usd_per_hour", static_cast<double>(price_at(line, 0).contracted.count()) / 1e9},
             {"as_of", line.as_of},
             {"age_days", nullptr},
             {"confidence", line.confidence},
             {"source", line.source},
             {"other", nullptr},
             {"at_usd_per_hour", nullptr}};
  if (price->age_days) entry["age_days"] = *price->age_days;
  if (!price->other) return entry;
  entry["other"] = report.comparison.strategies[*price->other].name;
  entry["at_usd_per_hour"] = price->at_usd_per_hour;
  return entry;
}

Json measures_json(const Summaries& values, std::size_t replications) {
  Relation one{};
  std::vector<Cell> cells;
  for (const MeasureInfo& measure : measure_table()) {
    one.columns.push_back(measure_column(measure.measure));
    cells.push_back(measure_cell(values[measure.measure], replications));
  }
  one.add(std::move(cells));
  return write_json(one, JsonNothing::left_out).front();
}

Json rows_of(const std::vector<std::string>& names, const std::vector<Summaries>& rows,
             const std::vector<bool>& used, std::size_t replications) {
  Json array = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (used[i]) array.push_back({{"name", names[i]}, {"measures", measures_json(rows[i], replications)}});
  }
  return array;
}

Relation lines_of(const World& world, const StrategyResult& strategy) {
  constexpr std::array kCharges{"direct", "held", "sublet"};
  Relation lines{.columns = files_only(
                     {"machine", "pool", "model", "charge", "machine_hours", "list_usd", "contracted_usd"})};
  for (std::size_t i = 0; i < strategy.lines.size(); ++i) {
    const LineUse& use = strategy.lines[i];
    const PriceLine& line = world.price_lines[i];
    if (use.machine_hours == 0) continue;
    lines.add({world.machines[index(line.machine)].name, world.pool(line.pool).name,
               kPriceModelNames[static_cast<std::size_t>(line.model)],
               kCharges[static_cast<std::size_t>(line.charge)], use.machine_hours, use.list_usd,
               use.contracted_usd});
  }
  return lines;
}

Relation held_of(const World& world, const StrategyResult& strategy) {
  Relation held{.columns = files_only({"pool", "replications_came", "replications_late", "late_mean_h"})};
  for (const HeldSummary& one : strategy.held)
    held.add({world.pool(one.pool).name, one.came, one.late, one.late_mean_h});
  return held;
}

Relation commitments_of(const Scenario& scenario) {
  const SimTime window_end = scenario.world.window_end;
  Relation commitments{.columns = files_only({"name", "machine", "region", "machines", "usd_per_hour",
                                              "as_of", "sunk_usd", "sunk_left_usd"})};
  for (const Commitment& commitment : scenario.terms.commitments) {
    commitments.add({commitment.name, scenario.world.machines[index(commitment.machine)].name,
                     commitment.region, commitment.machines.count(),
                     static_cast<double>(commitment.contracted.count()) / 1e9, commitment.as_of,
                     cost_between(commitment, kStart, window_end).contracted.to_usd(),
                     cost_between(commitment, window_end, kNever).contracted.to_usd()});
  }
  return commitments;
}

bool looks_at_prices(const World& world, const StrategyResult& result) {
  return std::ranges::any_of(world.strategies, [&](const Strategy& strategy) {
    return strategy.cheapest_first && strategy.name == result.name;
  });
}

// By leg; null where there is none.
Json orchestrators_of(const World& world, const StrategyResult& result) {
  Json names = Json::array();
  const auto strategy = std::ranges::find(world.strategies, result.name, &Strategy::name);
  for (const Leg& leg : strategy->legs) {
    names.emplace_back(nullptr);
    if (leg.orchestrator) names.back() = kOrchestratorNames[static_cast<std::size_t>(*leg.orchestrator)];
  }
  return names;
}

Json cost_more_of(const Report& report, std::size_t strategy) {
  Relation more{.columns = {{.key = "more", .interval = Interval::in_files}}};
  more.add({cost_more_cell(report.comparison, strategy, report.verdict->strategy)});
  Json entry{{"than", report.comparison.strategies[report.verdict->strategy].name}};
  entry.update(write_json(more).front().front());
  return entry;
}

Relation known_of(const Comparison& comparison) {
  constexpr std::array kStates{"met", "not_met", "bound", "absent"};
  Relation known{.columns = files_only({"strategy", "measure", "state", "relative_half_width_95"})};
  for (const KnownTo& one : comparison.precision->known) {
    known.add({comparison.strategies[one.strategy].name, info(one.measure).name,
               kStates.at(static_cast<std::size_t>(one.state)), one.half_width});
  }
  return known;
}

Json precision_of(const Comparison& comparison) {
  if (!comparison.precision) return nullptr;
  const PrecisionReached& reached = *comparison.precision;
  return {{"asked", reached.asked.half_width},
          {"most_replications", reached.asked.most},
          {"looks", reached.looks},
          {"met", reached.is_met()},
          {"known", write_json(known_of(comparison), JsonNothing::left_out)}};
}

Json controls_of(const Comparison& comparison) {
  if (!comparison.controls) return nullptr;
  Relation controls{.columns = files_only({"name", "unit", "expected"})};
  for (const Control& control : comparison.controls->controls)
    controls.add({control.name, control.unit, control.expected});
  return {{"adjusted", comparison.controls->adjust()}, {"controls", write_json(controls)}};
}

void add_pipelines(Json& entry, const Report& report, const StrategyResult& strategy) {
  const World& world = report.scenario.world;
  if (!world.has_pipelines()) return;
  const auto rows = [&](const std::vector<std::string>& names, std::vector<Summaries> StrategyResult::*of) {
    return rows_of(names, strategy.*of, groups_in_use(report.comparison, of), strategy.replications);
  };
  entry["pipelines"] = rows(pipeline_names(world), &StrategyResult::pipelines);
  entry["steps"] = rows(step_names(world), &StrategyResult::steps);
}

Json strategies_of(const Report& report) {
  const World& world = report.scenario.world;
  const auto groups_used = groups_in_use(report.comparison, &StrategyResult::groups);
  const auto gpus_used = groups_in_use(report.comparison, &StrategyResult::gpus);
  const Relation other = other_costs_table(report);
  const std::pair evictions{"kueue_evictions", kueue_evictions_table(report)};
  const std::pair preemptions{"slurm_preemptions", slurm_preemptions_table(report)};
  Json array = Json::array();
  for (const StrategyResult& strategy : report.comparison.strategies) {
    Json fingerprints = Json::array();
    for (const std::uint64_t fingerprint : strategy.fingerprints)
      fingerprints.push_back(fmt::format("{:016x}", fingerprint));
    Json entry{{"name", strategy.name},
               {"replications", strategy.replications},
               {"draws", strategy.drew},
               {"fingerprint", fmt::format("{:016x}", fingerprint_of({strategy}))},
               {"fingerprints", std::move(fingerprints)},
               {"total", measures_json(strategy.total, strategy.replications)}};
    if (report.by != GroupBy::nothing)
      entry["groups"] =
          rows_of(group_names(world, report.by), strategy.groups, groups_used, strategy.replications);
    entry["orchestrators"] = orchestrators_of(world, strategy);
    entry["gpus"] =
        rows_of(group_names(world, GroupBy::gpu), strategy.gpus, gpus_used, strategy.replications);
    add_pipelines(entry, report, strategy);
    entry["lines"] = write_json(lines_of(world, strategy));
    entry["held"] = write_json(held_of(world, strategy));
    entry["other_costs"] = write_json(part_of(other, "strategy", strategy.name));
    for (const auto& [key, table] : {evictions, preemptions}) {
      const Relation own = part_of(table, "strategy", strategy.name);
      if (!own.rows.empty()) entry[key] = write_json(own);
    }
    entry["looks_at_prices"] = looks_at_prices(world, strategy);
    if (report.verdict != nullptr) entry["cost_more"] = cost_more_of(report, array.size());
    array.push_back(std::move(entry));
  }
  return array;
}

Json scenario_of(const Scenario& scenario) {
  Json entry{{"file", scenario.file},
             {"name", scenario.name},
             {"question", scenario.question},
             {"start", scenario.start},
             {"prices_as_of", scenario.prices_as_of},
             {"seed", scenario.world.seed},
             {"warm_up_h", to_hours(kStart - scenario.world.begin)},
             {"goal", nullptr}};
  if (!scenario.warm_up_rule.empty()) entry["warm_up_rule"] = scenario.warm_up_rule;
  if (scenario.prices_follow_calendar) entry["prices_follow_calendar"] = true;
  if (scenario.goal) entry["goal"] = goal_text(scenario);
  return entry;
}

Relation measures_of() {
  Relation measures{.columns = files_only({"name", "unit", "meaning"})};
  for (const MeasureInfo& measure : measure_table())
    measures.add({measure.name, measure.unit, measure.meaning});
  return measures;
}

}  // namespace

Json comparison_json(const Report& report) {
  Json document{
      {"scenario", scenario_of(report.scenario)},
      {"replications", report.comparison.replications},
      {"precision", precision_of(report.comparison)},
      {"control_variates", controls_of(report.comparison)},
      {"fingerprint", fmt::format("{:016x}", report.comparison.fingerprint)},
      {"verdict", verdict_of(report)},
      {"deciding_price", deciding_price_of(report)},
      {"by",
       report.by == GroupBy::nothing ? Json{} : Json(kGroupByNames[static_cast<std::size_t>(report.by)])},
      {"no_orchestrator", unnamed_text(report)},
      {"strategies", strategies_of(report)},
      {"assumption_band", band_json(report)},
      {"commitments", write_json(commitments_of(report.scenario))},
      {"random", randomness_sources(report)},
      {"prices", write_json(prices_table(report), JsonNothing::left_out)},
      {"assumptions", report.scenario.assumptions},
      {"warnings", warnings_of(report)},
      {"measures", write_json(measures_of())},
  };
  for (const auto& [key, table] : comparison_tables(report))
    if (!key.empty()) document[std::string{key}] = write_json(table);
  if (report.worlds != nullptr) document["worlds"] = worlds_json(report);
  if (report.bounds != nullptr) document["lower_bound"] = bounds_json(*report.bounds);
  return document;
}

}  // namespace stockout
