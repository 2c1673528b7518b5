#include "tools/report/comparison_page/money_section.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "tools/page/chart_spec.h"
#include "tools/report/comparison/other_costs.h"
#include "tools/report/comparison_page/money_parts.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

std::vector<std::vector<MoneyPart>> parts_of_all(const Report& report) {
  std::vector<std::vector<MoneyPart>> all;
  for (std::size_t i = 0; i < report.comparison.strategies.size(); ++i) all.push_back(money_parts(report, i));
  return all;
}

// Names in the order in which parts come, each once.
template <typename NameOf>
std::vector<std::string> part_names(const std::vector<std::vector<MoneyPart>>& all, NameOf name_of) {
  std::vector<std::string> names;
  for (const auto& parts : all) {
    for (const MoneyPart& part : parts) {
      if (std::ranges::find(names, name_of(part)) == names.end()) names.push_back(name_of(part));
    }
  }
  return names;
}

Relation money_table(const Report& report) {
  const auto all = parts_of_all(report);
  const std::vector<std::string> names = part_names(all, part_name);
  Relation table{.title = "Where every dollar went, contracted prices [USD]",
                 .columns = {name_column("strategy")}};
  for (const std::string& name : names) table.columns.push_back({.title = name, .style = kHundredths});
  table.add_columns(kHundredths, {"in all"});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const StrategyResult& strategy = report.comparison.strategies[i];
    std::vector<Cell> cells{strategy.name};
    for (const std::string& name : names) {
      const auto part = std::ranges::find(all[i], name, part_name);
      cells.push_back(part == all[i].end() ? Cell{} : Cell{part->usd});
    }
    cells.emplace_back(strategy.total[Measure::cost].mean);
    table.add(std::move(cells));
  }
  return table;
}

nlohmann::json money_spec(const Report& report) {
  const auto all = parts_of_all(report);
  const std::vector<std::size_t> drawn = strategies_drawn(report);
  Relation rows{.columns = files_only({"strategy", "bought", "use", "usd", "order"})};
  for (const std::size_t place : drawn) {
    for (std::size_t i = 0; i < all[place].size(); ++i) {
      const MoneyPart& part = all[place][i];
      rows.add({report.comparison.strategies[place].name, part.bought,
                part.use == MoneyPart::Use::idle ? "held and idle" : "used", part.usd, i});
    }
  }
  return ChartSpec{"every-dollar"}
      .rows(write_chart_rows(rows))
      .strategies(names_of(report, drawn))
      .names("bought", part_names(all, [](const MoneyPart& part) { return part.bought; }))
      .take();
}

Chart money_chart(const Report& report) {
  return {.id = "every-dollar",
          .title = "Cost by how machines were bought, and what of it was idle",
          .description =
              "A bar a strategy: what it paid, in US dollars, by how the machines were bought; the lighter "
              "part is held capacity that no job used. Left of 0 is what existing commitments cover; it is "
              "taken off.",
          .spec = money_spec(report),
          .table = money_table(report)};
}

/// An amount that stands beside the cost.
struct BesideCost {
  std::string_view what;
  Measure measure;
};
constexpr std::array kBesideCosts{
    BesideCost{"paid", Measure::cost},
    BesideCost{"of it after the window, while jobs drain", Measure::cost_drain},
    BesideCost{"the same at list prices", Measure::cost_list},
    BesideCost{"obligation, whole term", Measure::commitment},
    BesideCost{"existing commitments, after the window", Measure::sunk_left},
};

// Whether it tells anything that the cost does not.
bool tells(const Report& report, const BesideCost& one) {
  return std::ranges::any_of(report.comparison.strategies, [&](const StrategyResult& strategy) {
    const double usd = strategy.total[one.measure].mean;
    if (one.measure == Measure::cost_list) return std::abs(usd - strategy.total[Measure::cost].mean) >= 0.005;
    return usd != 0;
  });
}

std::vector<BesideCost> amounts_that_tell(const Report& report) {
  std::vector<BesideCost> amounts;
  std::ranges::copy_if(kBesideCosts, std::back_inserter(amounts), [&](const BesideCost& one) {
    return one.measure == Measure::cost || tells(report, one);
  });
  return amounts;
}

nlohmann::json beside_spec(const Report& report, const std::vector<BesideCost>& amounts) {
  const std::vector<std::size_t> drawn = strategies_drawn(report);
  Relation rows{.columns = files_only({"strategy", "what", "usd"})};
  for (const std::size_t place : drawn) {
    const StrategyResult& strategy = report.comparison.strategies[place];
    for (const BesideCost& amount : amounts) {
      const double usd = strategy.total[amount.measure].mean;
      if (usd > 0) rows.add({strategy.name, amount.what, usd});  // on a logarithmic scale there is no 0
    }
  }
  std::vector<std::string> what;
  for (const BesideCost& amount : amounts) what.emplace_back(amount.what);
  return ChartSpec{"beside-the-cost"}
      .rows(write_chart_rows(rows))
      .strategies(names_of(report, drawn))
      .names("what", what)
      .take();
}

std::optional<Chart> beside_chart(const Report& report) {
  const std::vector<BesideCost> amounts = amounts_that_tell(report);
  if (amounts.size() == 1) return std::nullopt;
  Relation table{.title = "Amounts beside the cost [USD]", .columns = {name_column("strategy")}};
  for (const BesideCost& amount : amounts)
    table.columns.push_back({.title = std::string{amount.what}, .style = kHundredths});
  for (const StrategyResult& strategy : report.comparison.strategies) {
    std::vector<Cell> cells{strategy.name};
    for (const BesideCost& amount : amounts) cells.emplace_back(strategy.total[amount.measure].mean);
    table.add(std::move(cells));
  }
  return Chart{
      .id = "beside-the-cost",
      .title = "Payments in the window, and obligations beyond it",
      .description =
          "Dots in a row for each strategy, in US dollars on a logarithmic scale: what it paid in the window "
          "of the simulation, the same at list prices where they differ, and what commitments bind to beyond "
          "the window. Only the first is the cost that strategies are compared by.",
      .spec = beside_spec(report, amounts),
      .table = std::move(table)};
}

}  // namespace

PageSection money_section(const PageStory& story) {
  PageSection section{.id = "money", .title = "Where every dollar went", .blocks = {}, .menu = "Money"};
  if (std::string note = drawn_note(story.report); !note.empty())
    section.blocks.push_back(Paragraph{std::move(note)});
  section.blocks.push_back(money_chart(story.report));
  if (std::optional<Chart> chart = beside_chart(story.report)) section.blocks.push_back(std::move(*chart));
  Relation others = other_costs_table(story.report);
  if (!others.empty()) section.blocks.push_back(std::move(others));
  return section;
}

}  // namespace stockout
