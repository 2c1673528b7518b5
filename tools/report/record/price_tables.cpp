#include "tools/report/record/price_tables.h"

#include <algorithm>
#include <optional>

#include "models/billing/cost.h"
#include "models/experiment/standing.h"
#include "tools/report/comparison/measure_columns.h"
#include "tools/report/prices/price_age.h"
#include "tools/report/record/used_lines.h"
#include "tools/table/text_table.h"

namespace stockout {
namespace {

bool moves_within(const PriceLine& line, SimTime window_end) {
  return std::ranges::any_of(
      line.steps, [&](const PriceStep& step) { return step.from > kStart && step.from < window_end; });
}

std::string recorded_prices(const StoredComparison& record) {
  return record.prices_follow_calendar ? "each day's" : record.prices_as_of;
}

std::optional<double> relative_change(double change, double of) {
  return of > 0 ? std::optional{change / of} : std::nullopt;
}

Cell as_of_cell(const std::string& as_of) { return as_of.empty() ? Cell{as_of}.as("own") : Cell{as_of}; }

// In per cent, and whether it is another one later.
Cell change_cell(const Cell& change, bool moves) {
  return moves ? change.as(cell_text(change, kPercent) + ", moves") : change;
}

// A price that was used, at both times.
std::vector<Cell> pair_cells(const PriceReport& report, const StoredLine& line, const LineNow& now) {
  const bool is_known = now.why_not.empty();
  const double recorded = usd_of(price_at(line.price, 0).contracted);
  const double usd = is_known ? usd_of(price_at(now.price, 0).contracted) : 0;
  const SimTime end = report.record.window_end;
  const bool moves = moves_within(line.price, end) || moves_within(now.price, end);
  const auto change = is_known && now.changed ? relative_change(usd - recorded, recorded) : std::nullopt;
  return {line.machine,
          kPriceModelNames[static_cast<std::size_t>(line.price.model)],
          line.price.region,
          recorded,
          as_of_cell(line.price.as_of),
          is_known ? Cell{usd} : Cell::said("none"),
          is_known ? as_of_cell(now.price.as_of) : Cell{},
          is_known ? price_age(report.day, now.price.as_of) : std::nullopt,
          now.changed || !is_known,
          moves,
          change_cell(change, moves)};
}

}  // namespace

Relation priced_strategies(const PriceReport& report) {
  const Repricing& repricing = report.repricing;
  const auto now = Standings{repricing.now, report.record.goal}.ranks();
  const auto before = Standings{repricing.before, report.record.goal}.ranks();
  const auto usd = [](const char* key, const std::string& title) {
    return Column{.key = key, .title = title, .style = kUsd, .interval = Interval::shown};
  };
  Relation table{.title = "Cost, in US dollars",
                 .columns = {name_column("strategy"),
                             {.key = "replications"},
                             usd("cost_usd", "at prices\n" + report.prices_now),
                             {.key = "cost_list_usd"},
                             usd("recorded_cost_usd", "recorded at\n" + recorded_prices(report.record)),
                             usd("change_usd", "change"),
                             {.title = "change", .unit = "%", .style = kPercent},
                             {.key = "rank", .title = "rank", .style = kWhole},
                             {.key = "recorded_rank", .title = "rank\nbefore", .style = kWhole},
                             {.key = "left_out"}}};
  for (std::size_t i = 0; i < repricing.strategies.size(); ++i) {
    const StrategyNow& strategy = repricing.strategies[i];
    const StrategyResult& recorded = repricing.before.strategies[i];
    const Cell old_cost = measure_cell(recorded.total[Measure::cost], 0);
    if (!strategy.why_not.empty()) {
      table.add({recorded.name, recorded.replications, Cell{}, Cell{}, old_cost, Cell{}, Cell{}, Cell{},
                 before[i], strategy.why_not});
      continue;
    }
    const Summaries& total = repricing.now.strategies[strategy.place].total;
    table.add({recorded.name, recorded.replications, measure_cell(total[Measure::cost], 0),
               total[Measure::cost_list].mean, old_cost, strategy.change,
               relative_change(strategy.change.mean, *old_cost.number()), now[strategy.place], before[i],
               Cell{}});
  }
  return table;
}

Relation price_pairs_table(const PriceReport& report) {
  Relation table{.title = "Prices of a machine-hour, in US dollars, contracted, at the start of the window",
                 .columns = {name_column("machine"),
                             name_column("model"),
                             name_column("region"),
                             {.key = "recorded_usd_per_hour", .title = "recorded", .style = kUnitPrice},
                             {.key = "recorded_as_of", .title = "row of"},
                             {.key = "usd_per_hour", .title = "now", .style = kUnitPrice},
                             {.key = "as_of", .title = "row of"},
                             {.key = "age_days", .title = "days\nold", .style = kWhole},
                             {.key = "changed"},
                             {.key = "moves"},
                             {.title = "change", .unit = "%", .style = kPercent}}};
  for (const std::size_t i : used_lines(report.record))
    table.add(pair_cells(report, report.record.lines[i], report.repricing.lines[i]));
  return table;
}

}  // namespace stockout
