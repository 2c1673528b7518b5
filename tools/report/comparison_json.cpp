#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/experiment/cost_difference.h"
#include "sim/core/hours.h"
#include "tools/report/assumption_tables.h"
#include "tools/report/bound_tables.h"
#include "tools/report/grouped_rows.h"
#include "tools/report/notes.h"
#include "tools/report/report.h"

namespace stockout {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kLayout = 1;  // raised when a reader of the file would have to change

std::string verdict_name(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::cheapest_within_goal:
      return "cheapest_within_goal";
    case Verdict::Kind::none_meets_goal:
      return "none_meets_goal";
    case Verdict::Kind::undecided:
      return "undecided";
    case Verdict::Kind::cheapest:
      return "cheapest";
  }
  return "undecided";
}

Json verdict_of(const Report& report) {
  if (report.verdict == nullptr) return nullptr;
  return {{"kind", verdict_name(report.verdict->kind)},
          {"strategy", report.comparison.strategies[report.verdict->strategy].name},
          {"sentence", report.verdict->sentence}};
}

Json json_of(const Summaries& values, std::size_t replications) {
  Json object = Json::object();
  for (const MeasureInfo& measure : measure_table()) {
    const Summary& summary = values[measure.measure];
    if (summary.is_absent()) continue;
    Json entry{{"mean", summary.mean}};
    if (summary.half_width) entry["half_width_95"] = *summary.half_width;
    if (summary.replications < replications) entry["replications"] = summary.replications;
    if (summary.known == Value::Known::at_least) entry["is_lower_bound"] = true;
    object[std::string{measure.name}] = std::move(entry);
  }
  return object;
}

Json rows_of(const World& world, GroupBy by, const std::vector<Summaries>& rows,
             const std::vector<bool>& used, std::size_t replications) {
  const std::vector<std::string> names = group_names(world, by);
  Json array = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (used[i]) array.push_back({{"name", names[i]}, {"measures", json_of(rows[i], replications)}});
  }
  return array;
}

Json lines_of(const World& world, const StrategyResult& strategy) {
  constexpr std::array kCharges{"direct", "held", "sublet"};
  Json array = Json::array();
  for (std::size_t i = 0; i < strategy.lines.size(); ++i) {
    const LineUse& use = strategy.lines[i];
    const PriceLine& line = world.price_lines[i];
    if (use.machine_hours == 0) continue;
    array.push_back({{"machine", world.machines[index(line.machine)].name},
                     {"pool", world.pool(line.pool).name},
                     {"model", kPriceModelNames[static_cast<std::size_t>(line.model)]},
                     {"charge", kCharges[static_cast<std::size_t>(line.charge)]},
                     {"machine_hours", use.machine_hours},
                     {"list_usd", use.list_usd},
                     {"contracted_usd", use.contracted_usd}});
  }
  return array;
}

Json held_of(const World& world, const StrategyResult& strategy) {
  Json array = Json::array();
  for (const HeldSummary& held : strategy.held) {
    array.push_back({{"pool", world.pool(held.pool).name},
                     {"replications_came", held.came},
                     {"replications_late", held.late},
                     {"late_mean_h", held.late_mean_h}});
  }
  return array;
}

Json other_of(const BillTerms& terms, const StrategyResult& strategy) {
  Json array = Json::array();
  for (std::size_t i = 0; i < terms.other.size(); ++i)
    array.push_back({{"name", terms.other[i].name}, {"usd", strategy.other[i]}});
  return array;
}

Json commitments_of(const Scenario& scenario) {
  const SimTime window_end = scenario.world.window_end;
  Json array = Json::array();
  for (const Commitment& commitment : scenario.terms.commitments) {
    array.push_back({{"name", commitment.name},
                     {"machine", scenario.world.machines[index(commitment.machine)].name},
                     {"region", commitment.region},
                     {"machines", commitment.machines.count()},
                     {"usd_per_hour", static_cast<double>(commitment.contracted.count()) / 1e9},
                     {"as_of", commitment.as_of},
                     {"sunk_usd", cost_between(commitment, kStart, window_end).contracted.to_usd()},
                     {"sunk_left_usd", cost_between(commitment, window_end, kNever).contracted.to_usd()}});
  }
  return array;
}

bool looks_at_prices(const World& world, const StrategyResult& result) {
  return std::ranges::any_of(world.strategies, [&](const Strategy& strategy) {
    return strategy.cheapest_first && strategy.name == result.name;
  });
}

Json cost_more_of(const Report& report, std::size_t strategy) {
  const std::size_t than = report.verdict->strategy;
  const CostDifference one = cost_difference(report.comparison, strategy, than);
  Json entry{{"than", report.comparison.strategies[than].name}, {"mean", one.more.mean}};
  if (one.more.half_width) entry["half_width_95"] = *one.more.half_width;
  entry["may_be_chance"] = one.may_be_chance;
  return entry;
}

Json precision_of(const Comparison& comparison) {
  if (!comparison.precision) return nullptr;
  constexpr std::array kStates{"met", "not_met", "bound", "absent"};
  const PrecisionReached& reached = *comparison.precision;
  Json known = Json::array();
  for (const KnownTo& one : reached.known) {
    Json entry{{"strategy", comparison.strategies[one.strategy].name},
               {"measure", info(one.measure).name},
               {"state", kStates.at(static_cast<std::size_t>(one.state))}};
    if (one.half_width) entry["relative_half_width_95"] = *one.half_width;
    known.push_back(std::move(entry));
  }
  return {{"asked", reached.asked.half_width},
          {"most_replications", reached.asked.most},
          {"looks", reached.looks},
          {"met", reached.is_met()},
          {"known", std::move(known)}};
}

Json controls_of(const Comparison& comparison) {
  if (!comparison.controls) return nullptr;
  Json array = Json::array();
  for (const Control& control : comparison.controls->controls)
    array.push_back({{"name", control.name}, {"unit", control.unit}, {"expected", control.expected}});
  return {{"adjusted", comparison.controls->adjust()}, {"controls", std::move(array)}};
}

Json strategies_of(const Report& report) {
  const World& world = report.scenario.world;
  const auto groups_used = groups_in_use(report.comparison, &StrategyResult::groups);
  const auto gpus_used = groups_in_use(report.comparison, &StrategyResult::gpus);
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
               {"total", json_of(strategy.total, strategy.replications)}};
    if (report.by != GroupBy::nothing)
      entry["groups"] = rows_of(world, report.by, strategy.groups, groups_used, strategy.replications);
    entry["gpus"] = rows_of(world, GroupBy::gpu, strategy.gpus, gpus_used, strategy.replications);
    entry["lines"] = lines_of(world, strategy);
    entry["held"] = held_of(world, strategy);
    entry["other_costs"] = other_of(report.scenario.terms, strategy);
    entry["looks_at_prices"] = looks_at_prices(world, strategy);
    if (report.verdict != nullptr) entry["cost_more"] = cost_more_of(report, array.size());
    array.push_back(std::move(entry));
  }
  return array;
}

Json prices_of(const Report& report) {
  Json array = Json::array();
  for (const PriceNote& price : prices_used(report)) {
    Json entry{{"machine", price.machine},
               {"model", price.model},
               {"pools", price.pools},
               {"list_usd_per_hour", price.list_usd_per_hour},
               {"contracted_usd_per_hour", price.contracted_usd_per_hour},
               {"as_of", price.as_of}};
    if (price.age_days) entry["age_days"] = *price.age_days;
    if (price.changes > 0) {
      entry["changes"] = price.changes;
      entry["least_usd_per_hour"] = price.least_usd_per_hour;
      entry["most_usd_per_hour"] = price.most_usd_per_hour;
    }
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

Json measures_of() {
  Json array = Json::array();
  for (const MeasureInfo& measure : measure_table()) {
    array.push_back({{"name", measure.name}, {"unit", measure.unit}, {"meaning", measure.meaning}});
  }
  return array;
}

}  // namespace

std::string write_json(const Report& report) {
  Json document{
      {"layout", kLayout},
      {"stockout", report.version},
      {"scenario", scenario_of(report.scenario)},
      {"replications", report.comparison.replications},
      {"precision", precision_of(report.comparison)},
      {"control_variates", controls_of(report.comparison)},
      {"fingerprint", fmt::format("{:016x}", report.comparison.fingerprint)},
      {"verdict", verdict_of(report)},
      {"by",
       report.by == GroupBy::nothing ? Json{} : Json(kGroupByNames[static_cast<std::size_t>(report.by)])},
      {"strategies", strategies_of(report)},
      {"assumption_band", band_json(report)},
      {"commitments", commitments_of(report.scenario)},
      {"random", randomness_sources(report)},
      {"prices", prices_of(report)},
      {"assumptions", report.scenario.assumptions},
      {"warnings", report.scenario.warnings},
      {"measures", measures_of()},
  };
  if (report.bounds != nullptr) document["lower_bound"] = bounds_json(report);
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string write_report(const Report& report, ReportFormat format, const TextLayout& layout) {
  switch (format) {
    case ReportFormat::table:
      return write_tables(report, layout);
    case ReportFormat::markdown:
      return write_tables(report, kMarkdown);
    case ReportFormat::csv:
      return with_alternatives(report, write_csv(report));
    case ReportFormat::json:
      return write_json(report);
  }
  return {};
}

}  // namespace stockout
