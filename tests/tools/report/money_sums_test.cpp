// Money is worked out once: the total of a strategy and whatever it is split by come from the same rows, so
// that they agree to the cent, in every report.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>

#include "models/experiment/comparison.h"
#include "models/measures/measures.h"
#include "models/repricing/repricing.h"
#include "models/showback/charges.h"
#include "tests/support/observed.h"
#include "tests/support/recorded.h"
#include "tests/support/small_scenario.h"
#include "tests/support/sweep_folder.h"
#include "tools/report/comparison/notes.h"
#include "tools/report/comparison_page/money_parts.h"
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
