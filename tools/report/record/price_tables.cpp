#include "tools/report/record/price_tables.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "models/billing/cost.h"
#include "models/experiment/standing.h"
#include "tools/report/comparison/measure_columns.h"
#include "tools/table/text_table.h"

namespace stockout {
namespace {

/// A price that was used, at both times.
struct PricePair {
  std::string machine;
  std::string model;
  std::string region;
  double recorded_usd = 0;  // contracted, of a machine-hour at the start of the window
  std::string recorded_as_of;
  std::optional<double> now_usd;  // none: there is no price
  std::string now_as_of;
  std::optional<int> age_days;  // of the row, on the day asked for
  bool changed = false;         // at some time of the run
  bool moves = false;           // one of the two changes within the run
};

double usd_of(MachineHourPrice price) { return static_cast<double>(price.count()) / 1e9; }

std::string_view name_of_model(PriceModel model) { return kPriceModelNames[static_cast<std::size_t>(model)]; }

bool moves_within(const PriceLine& line, SimTime window_end) {
  return std::ranges::any_of(
      line.steps, [&](const PriceStep& step) { return step.from > kStart && step.from < window_end; });
}

bool used_by_any(const StoredComparison& record, PriceLineId line) {
  return std::ranges::any_of(record.strategies, [&](const StoredStrategy& strategy) {
    return std::ranges::any_of(strategy.runs,
                               [&](const StoredRun& run) { return !run.use.hours(line).empty(); });
  });
}

std::optional<int> age_on(const std::optional<Date>& day, const std::string& as_of) {
  const auto row = parse_date(as_of);
  if (!day || !row) return std::nullopt;
  return static_cast<int>((*day - *row).count());
}

std::vector<PricePair> price_pairs(const PriceReport& report) {
  std::vector<PricePair> pairs;
  const StoredComparison& record = report.record;
  for (std::size_t i = 0; i < record.lines.size(); ++i) {
    const StoredLine& line = record.lines[i];
    const LineNow& now = report.repricing.lines[i];
    if (line.price.charge == Charge::sublet ||
        !used_by_any(record, PriceLineId{static_cast<std::uint32_t>(i)}))
      continue;
    PricePair pair{
        .machine = line.machine,
        .model = std::string{name_of_model(line.price.model)},
        .region = line.price.region,
        .recorded_usd = usd_of(price_at(line.price, 0).contracted),
        .recorded_as_of = line.price.as_of,
        .now_usd = {},
        .now_as_of = {},
        .age_days = {},
        .changed = now.changed || !now.why_not.empty(),
        .moves = moves_within(line.price, record.window_end) || moves_within(now.price, record.window_end)};
    const bool known = std::ranges::any_of(pairs, [&](const PricePair& other) {
      return other.machine == pair.machine && other.model == pair.model && other.region == pair.region;
    });
    if (known) continue;
    if (now.why_not.empty()) {
      pair.now_usd = usd_of(price_at(now.price, 0).contracted);
      pair.now_as_of = now.price.as_of;
      pair.age_days = age_on(report.day, now.price.as_of);
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

// Of each strategy; none if it does not qualify.
std::vector<std::optional<std::size_t>> ranks_of(const Comparison& comparison,
                                                 const std::optional<WaitGoal>& goal) {
  const Standings standings{comparison, goal};
  std::vector<std::optional<std::size_t>> ranks(comparison.strategies.size());
  std::size_t rank = 0;
  for (const std::size_t i : standings.by_cost())
    if (standings[i].qualifies()) ranks[i] = ++rank;
  return ranks;
}

std::string recorded_prices(const StoredComparison& record) {
  return record.prices_follow_calendar ? "each day's" : record.prices_as_of;
}

std::optional<double> relative_change(double change, double of) {
  return of > 0 ? std::optional{change / of} : std::nullopt;
}

Cell as_of_cell(const std::string& as_of) { return as_of.empty() ? Cell{as_of}.as("own") : Cell{as_of}; }

// In per cent, and whether it is another one later.
std::string change_text(const PricePair& pair) {
  const Cell change = pair.now_usd && pair.changed
                          ? relative_change(*pair.now_usd - pair.recorded_usd, pair.recorded_usd)
                          : std::nullopt;
  return cell_text(change, kPercent) + (pair.moves ? ", moves" : "");
}

}  // namespace

Relation priced_strategies(const PriceReport& report) {
  const Repricing& repricing = report.repricing;
  const auto now = ranks_of(repricing.now, report.record.goal);
  const auto before = ranks_of(repricing.before, report.record.goal);
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
  for (const PricePair& pair : price_pairs(report)) {
    table.add({pair.machine, pair.model, pair.region, pair.recorded_usd, as_of_cell(pair.recorded_as_of),
               pair.now_usd ? Cell{*pair.now_usd} : Cell::said("none"),
               pair.now_usd ? as_of_cell(pair.now_as_of) : Cell{""}.as(std::string{kNone}), pair.age_days,
               pair.changed, pair.moves, change_text(pair)});
  }
  return table;
}

}  // namespace stockout
