#include "tools/report/record/record_money.h"

#include <array>
#include <optional>

#include "tools/page/chart_spec.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

/// A part of the cost.
struct CostPart {
  Measure measure{};
  const char* name;
  double sign = 1;
};

// They add up to the cost.
constexpr std::array kPurposes{
    CostPart{Measure::cost_direct, "leased job by job"},
    CostPart{Measure::cost_held, "held to the last start"},
    CostPart{Measure::cost_sublet, "held, and used"},
    CostPart{Measure::cost_idle, "held, and idle"},
    CostPart{Measure::cost_sunk, "commitments that exist"},
    CostPart{Measure::cost_other, "other costs"},
    CostPart{Measure::covered, "covered by commitments", -1},
};

// Leased and held, before what is covered.
constexpr std::array kModels{
    CostPart{Measure::cost_on_demand, "on-demand"},
    CostPart{Measure::cost_spot, "Spot"},
    CostPart{Measure::cost_flex_start, "flex-start"},
    CostPart{Measure::cost_calendar, "calendar"},
    CostPart{Measure::cost_cud_1y, "1-year commitment"},
    CostPart{Measure::cost_cud_3y, "3-year commitment"},
    CostPart{Measure::cost_management_fee, "management fee"},
};

// Where held capacity is paid to the last start (hold_end) no part of it is idle or used. Else it is these
// two.
bool is_part(const StrategyResult& strategy, Measure measure) {
  const bool is_split = !strategy.total[Measure::cost_idle].is_absent();
  if (measure == Measure::cost_held) return !is_split;
  return is_split || measure != Measure::cost_sublet;
}

double amount(const StrategyResult& strategy, const CostPart& part) {
  if (!is_part(strategy, part.measure)) return 0;
  const Summary& value = strategy.total[part.measure];
  return value.is_absent() ? 0 : part.sign * value.mean;
}

// Those that any strategy pays.
std::vector<CostPart> parts_paid(const Comparison& comparison, std::span<const CostPart> parts) {
  std::vector<CostPart> paid;
  for (const CostPart& part : parts) {
    if (std::ranges::any_of(comparison.strategies,
                            [&](const StrategyResult& strategy) { return amount(strategy, part) != 0; }))
      paid.push_back(part);
  }
  return paid;
}

Relation parts_table(const RecordStory& story, const char* title, const std::vector<CostPart>& parts) {
  Relation table{.title = title, .columns = {name_column("strategy")}};
  for (const CostPart& part : parts) table.columns.push_back({.title = part.name, .style = kWhole});
  table.add_columns(kWhole, {"in all"});
  for (const StrategyResult& strategy : story.comparison.strategies) {
    std::vector<Cell> cells{strategy.name};
    double sum = 0;
    for (const CostPart& part : parts) {
      sum += amount(strategy, part);
      cells.emplace_back(amount(strategy, part));
    }
    cells.emplace_back(sum);
    table.add(std::move(cells));
  }
  return table;
}

Chart parts_chart(const RecordStory& story, const std::string& id, const char* title, const char* description,
                  std::span<const CostPart> all) {
  const std::vector<CostPart> parts = parts_paid(story.comparison, all);
  std::vector<std::string> names;
  for (const CostPart& part : parts) names.emplace_back(part.name);
  Relation rows{.columns = files_only({"strategy", "part", "place", "usd"})};
  for (const StrategyResult& strategy : story.comparison.strategies) {
    for (std::size_t place = 0; place < parts.size(); ++place) {
      const double usd = amount(strategy, parts[place]);
      if (usd != 0) rows.add({strategy.name, parts[place].name, place, usd});
    }
  }
  nlohmann::json spec = ChartSpec{"cost-parts"}
                            .rows(write_chart_rows(rows))
                            .strategies(strategy_names(story.comparison))
                            .names("part", names)
                            .take();
  return {.id = id,
          .title = title,
          .description = description,
          .spec = std::move(spec),
          .table = parts_table(story, title, parts)};
}

}  // namespace

PageSection recorded_money_section(const RecordStory& story) {
  PageSection section{.id = "money", .title = "Where every dollar went", .blocks = {}};
  section.blocks.emplace_back(
      parts_chart(story, "purposes", "What the money was for [USD]",
                  "A bar a strategy: machines leased job by job, held capacity that jobs used, held capacity "
                  "that nobody used, commitments that exist already, other costs. Left of 0 is what those "
                  "commitments cover. They add up to the cost.",
                  kPurposes));
  section.blocks.emplace_back(
      parts_chart(story, "models", "Under which price it was paid [USD]",
                  "A bar a strategy: what was leased and held, by price model, at contracted prices, before "
                  "what existing commitments cover and without other costs.",
                  kModels));
  return section;
}

}  // namespace stockout
