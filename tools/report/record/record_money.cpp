#include "tools/report/record/record_money.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "models/measures/cost_parts.h"
#include "tools/page/chart_spec.h"
#include "tools/report/prices/cost_words.h"
#include "tools/report/prices/price_words.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

/// A part of the cost, and what it is called.
struct NamedPart {
  CostPart part;
  std::string name;
};

// They add up to the cost. Where it can be told, what is held is split.
std::vector<NamedPart> purposes() {
  std::vector<NamedPart> all;
  const auto add = [&](CostPart part) {
    all.push_back({.part = part, .name = std::string{cost_words(part.measure)}});
  };
  for (const CostPart& part : kCostParts) {
    add(part);
    if (part.measure != Measure::cost_held) continue;
    add({Measure::cost_sublet});
    add({Measure::cost_idle});
  }
  return all;
}

// Leased and held, before what is covered.
std::vector<NamedPart> paid_by_model() {
  std::vector<NamedPart> all;
  for (std::size_t i = 0; i < kPriceModelNames.size(); ++i) {
    const auto model = static_cast<PriceModel>(i);
    all.push_back({.part = {cost_under(model)}, .name = std::string{price_words(model)}});
  }
  return all;
}

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
std::vector<NamedPart> parts_paid(const Comparison& comparison, const std::vector<NamedPart>& parts) {
  std::vector<NamedPart> paid;
  for (const NamedPart& part : parts) {
    if (std::ranges::any_of(comparison.strategies,
                            [&](const StrategyResult& strategy) { return amount(strategy, part.part) != 0; }))
      paid.push_back(part);
  }
  return paid;
}

Relation parts_table(const RecordStory& story, const char* title, const std::vector<NamedPart>& parts) {
  Relation table{.title = title, .columns = {name_column("strategy")}};
  for (const NamedPart& part : parts) table.columns.push_back({.title = part.name, .style = kWhole});
  table.add_columns(kWhole, {"in all"});
  for (const StrategyResult& strategy : story.comparison.strategies) {
    std::vector<Cell> cells{strategy.name};
    double sum = 0;
    for (const NamedPart& part : parts) {
      sum += amount(strategy, part.part);
      cells.emplace_back(amount(strategy, part.part));
    }
    cells.emplace_back(sum);
    table.add(std::move(cells));
  }
  return table;
}

Chart parts_chart(const RecordStory& story, const std::string& id, const char* title, const char* description,
                  const std::vector<NamedPart>& all) {
  const std::vector<NamedPart> parts = parts_paid(story.comparison, all);
  std::vector<std::string> names;
  for (const NamedPart& part : parts) names.push_back(part.name);
  Relation rows{.columns = files_only({"strategy", "part", "place", "usd"})};
  for (const StrategyResult& strategy : story.comparison.strategies) {
    for (std::size_t place = 0; place < parts.size(); ++place) {
      const double usd = amount(strategy, parts[place].part);
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
      parts_chart(story, "purposes", "Cost by purpose [USD]",
                  "A bar a strategy: machines leased job by job, held capacity that jobs used, held capacity "
                  "that nobody used, commitments that exist already, other costs. Left of 0 is what those "
                  "commitments cover. They add up to the cost.",
                  purposes()));
  section.blocks.emplace_back(
      parts_chart(story, "models", "Cost by price model [USD]",
                  "A bar a strategy: leased and held machines, by price model, at contracted prices. Neither "
                  "what existing commitments cover nor other costs are in it.",
                  paid_by_model()));
  return section;
}

}  // namespace stockout
