// Money is worked out once: the total of a strategy and whatever it is split by come from the same rows, so
// that they agree to the cent, in every report.

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/experiment/comparison.h"
#include "models/measures/measures.h"
#include "models/repricing/repricing.h"
#include "models/showback/charges.h"
#include "sim/io/csv_reader.h"
#include "tests/support/made_up/sweep_folder.h"
#include "tests/support/runs/observed.h"
#include "tests/support/runs/recorded.h"
#include "tests/support/scenarios/small_scenario.h"
#include "tests/support/scratch_folder.h"
#include "tools/report/comparison/notes.h"
#include "tools/report/comparison_page/money_parts.h"
#include "tools/report/focus/focus_csv.h"
#include "tools/report/record/record_money.h"

using namespace stockout;
using namespace stockout::test;

namespace {

bool same_cents(double a, double b) { return std::abs(a - b) < 0.005; }

// The recorder reads a scenario's file again.
Scenario billed_scenario(bool to_last_start) {
  static const ScenarioLoader kFiles;
  return kFiles.load(
      to_last_start ? with(kBilledScenario, "\"replications\"", R"("hold_end": "last_start", "replications")")
                    : kBilledScenario);
}

Comparison compared(const Scenario& scenario, GroupBy by, std::vector<RunObserver*> observers = {}) {
  return compare(scenario.world, {.strategies = {},
                                  .replications = 2,
                                  .threads = 2,
                                  .by = by,
                                  .goal = scenario.goal,
                                  .terms = &scenario.terms,
                                  .observers = std::move(observers)});
}

double sum_of_rows(const std::vector<Summaries>& rows) {
  return std::accumulate(rows.begin(), rows.end(), 0.0, [](double sum, const Summaries& row) {
    return sum + (row[Measure::cost].is_absent() ? 0 : row[Measure::cost].mean);
  });
}

double sum_of_lines(const World& world, const StrategyResult& strategy) {
  double sum = 0;
  for (std::size_t i = 0; i < strategy.lines.size(); ++i)
    if (world.price_lines[i].charge != Charge::sublet) sum += strategy.lines[i].contracted_usd;
  return sum;
}

// What rows and lines are of: machines alone, before what terms add and take off.
double machines_cost(const StrategyResult& strategy) {
  return strategy.total[Measure::cost_direct].mean + strategy.total[Measure::cost_held].mean;
}

// The last cell of each row of a table: "in all".
std::vector<double> in_all(const PageBlock& block) {
  std::vector<double> sums;
  for (const Row& row : std::get<Chart>(block).table.rows) sums.push_back(row.cells.back().number().value());
  return sums;
}

}  // namespace

TEST_CASE("Rows of every grouping, and price lines, add up to what machines cost", "[money]") {
  const Scenario scenario = billed_scenario(false);
  for (const GroupBy by : {GroupBy::job_class, GroupBy::user, GroupBy::gpu, GroupBy::pool}) {
    for (const StrategyResult& strategy : compared(scenario, by).strategies) {
      INFO(strategy.name << " by " << kGroupByNames[static_cast<std::size_t>(by)]);
      CHECK(same_cents(sum_of_rows(strategy.groups), machines_cost(strategy)));
      CHECK(same_cents(sum_of_rows(strategy.gpus), machines_cost(strategy)));
      CHECK(same_cents(sum_of_lines(scenario.world, strategy), machines_cost(strategy)));
    }
  }
}

TEST_CASE("Rows by class and user that do not add up are told in a note", "[money]") {
  for (const bool to_last_start : {false, true}) {
    const Scenario scenario = billed_scenario(to_last_start);
    for (const GroupBy by : {GroupBy::job_class, GroupBy::user, GroupBy::pool}) {
      const Comparison comparison = compared(scenario, by);
      const auto adds_up = [](const StrategyResult& strategy) {
        return same_cents(sum_of_rows(strategy.groups), machines_cost(strategy));
      };
      const bool all = std::ranges::all_of(comparison.strategies, adds_up);
      const Report report{
          .scenario = scenario, .comparison = comparison, .headline = {}, .by = by, .version = {}};
      const bool told = write_notes(report, {.width = 10'000}).find("do not add up") != std::string::npos;
      CHECK(all == !told);
      CHECK(told == (to_last_start && by != GroupBy::pool));
    }
  }
}

TEST_CASE("The bill of a run is its cost, and so are its charges and its use at its prices", "[money]") {
  for (const bool to_last_start : {false, true}) {
    const Scenario scenario = billed_scenario(to_last_start);
    const World& world = scenario.world;
    EachRun each{[&](const RunPlace& run, const RunRecord& record, const Measures& measures) {
      const Cost in_all = measures.bill.in_all();
      bool agree = in_all.contracted.to_usd() == measures.total[Measure::cost].value;
      agree = agree &&
              bill_of(measures.use, world.price_lines, scenario.terms, world.window_end).in_all() == in_all;
      Money charges;
      for (const ChargeRow& row :
           charges_of(world, run.strategy, run.replication, record, scenario.terms, measures.bill))
        charges += effective_cost(row);
      if (!agree || charges != in_all.contracted) throw std::runtime_error{"money that does not agree"};
    }};
    CHECK_NOTHROW(compared(scenario, GroupBy::nothing, {&each}));
  }
}

TEST_CASE("On the pages too every dollar is a part of the cost, held to the last start or not", "[money]") {
  for (const bool to_last_start : {false, true}) {
    const Scenario scenario = billed_scenario(to_last_start);
    const Comparison comparison = compared(scenario, GroupBy::nothing);
    const Report report{.scenario = scenario, .comparison = comparison, .headline = {}, .version = {}};
    const StoredComparison record = recorded(scenario);
    const Comparison stored = recorded_comparison(record);
    const BreakEvens none;
    const PageSection section = recorded_money_section(
        {.record = record, .comparison = stored, .break_evens = none, .file = {}, .version = {}});
    const std::vector<double> sums = in_all(section.blocks.at(0));
    for (std::size_t i = 0; i < comparison.strategies.size(); ++i) {
      const double cost = comparison.strategies[i].total[Measure::cost].mean;
      INFO(comparison.strategies[i].name << ", to the last start: " << to_last_start);
      double parts = 0;
      for (const MoneyPart& part : money_parts(report, i)) parts += part.usd;
      CHECK(same_cents(parts, cost));
      CHECK(same_cents(sums.at(i), cost));
    }
  }
}

namespace {

// The sum of a column of FOCUS rows; of those of which `is_wanted` is true of another column.
double focus_sum(const std::string& csv, const std::string& sum_of, const std::string& where,
                 const std::string& is) {
  const ScratchFolder folder;
  CsvReader rows{folder.file("focus.csv", csv)};
  if (!rows.next()) throw std::runtime_error{"no rows"};
  const std::vector<std::string> names{rows.fields().begin(), rows.fields().end()};
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  double sum = 0;
  while (rows.next()) {
    const std::string cell{rows.fields()[place(sum_of)]};
    if (rows.fields()[place(where)] == is && !cell.empty()) sum += std::stod(cell);
  }
  return sum;
}

// What FOCUS has of a run.
std::string focus_of(const Scenario& scenario, const RunPlace& run, const RunRecord& record,
                     const Measures& measures, IdleRule rule) {
  const FocusRun place{
      .scenario = scenario, .strategy = run.strategy, .replication = run.replication, .idle = rule};
  std::string csv = focus_csv_header();
  write_focus_csv(place,
                  charges_of(scenario.world, run.strategy, run.replication, record, scenario.terms,
                             measures.bill, {.period = PeriodLength::day, .idle = rule}),
                  [&](std::string_view line) { csv += line; });
  return csv;
}

double idle_on_page(const Report& report, std::size_t strategy) {
  double usd = 0;
  for (const MoneyPart& part : money_parts(report, strategy))
    if (part.use == MoneyPart::Use::idle) usd += part.usd;
  return usd;
}

}  // namespace

TEST_CASE("Idle cost is one number: in the table, on the page and in FOCUS, whoever bears or covers it",
          "[money]") {
  const Scenario scenario = billed_scenario(false);
  std::map<std::size_t, double> in_focus;  // mean, by strategy
  std::mutex mutex;
  EachRun each{[&](const RunPlace& run, const RunRecord& record, const Measures& measures) {
    const double idle = measures.total[Measure::cost_idle].value;
    for (const IdleRule rule : {IdleRule::to_owner, IdleRule::by_use, IdleRule::by_share}) {
      const double sum =
          focus_sum(focus_of(scenario, run, record, measures, rule), "x_IdleCost", "x_Use", "idle");
      if (!same_cents(sum, idle)) throw std::runtime_error{"idle cost that does not agree"};
    }
    const std::lock_guard lock{mutex};
    in_focus[run.strategy] += idle / 2;
  }};
  const Comparison comparison = compared(scenario, GroupBy::nothing, {&each});
  const Report report{.scenario = scenario, .comparison = comparison, .headline = {}, .version = {}};
  double most = 0;
  for (std::size_t i = 0; i < comparison.strategies.size(); ++i) {
    if (comparison.strategies[i].replications != 2) continue;
    INFO(comparison.strategies[i].name);
    CHECK(same_cents(in_focus[i], comparison.strategies[i].total[Measure::cost_idle].mean));
    CHECK(same_cents(in_focus[i], idle_on_page(report, i)));
    most = std::max(most, in_focus[i]);
  }
  CHECK(most > 1000);
}

TEST_CASE("The cost of the drain is one number too, and what is left is the window's", "[money]") {
  const Scenario scenario = billed_scenario(false);
  double most = 0;
  std::mutex mutex;
  EachRun each{[&](const RunPlace& run, const RunRecord& record, const Measures& measures) {
    const std::string csv = focus_of(scenario, run, record, measures, IdleRule::to_owner);
    const double other = focus_sum(csv, "EffectiveCost", "ServiceName", "Other costs");
    const double drain = focus_sum(csv, "EffectiveCost", "x_Span", "drain");
    const double window = focus_sum(csv, "EffectiveCost", "x_Span", "window");
    const double said = measures.total[Measure::cost_drain].value;
    // Other costs of the drain are in neither; they are a few dollars here.
    const bool agree = drain >= said - 0.005 && drain - said <= other + 0.005 &&
                       same_cents(drain + window, measures.total[Measure::cost].value);
    if (!agree) throw std::runtime_error{"cost of the drain that does not agree"};
    const std::lock_guard lock{mutex};
    most = std::max(most, said);
  }};
  CHECK_NOTHROW(compared(scenario, GroupBy::nothing, {&each}));
  CHECK(most > 100);
}
