// Rows of a grouping add up to the total over replications of which some do not use a pool, a GPU type or a
// reservation at all: no use is 0, not absent.

#include <catch2/catch.hpp>

#include "models/experiment/comparison.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;

namespace {

constexpr std::size_t kGroupedRuns = 8;

// About four jobs in a replication. What the first pool has no room for goes to the second, which some
// replications never need; the reservation comes on the second day.
std::string spilling_scenario(const std::string& second_family) {
  return R"({
 "name": "spills", "start": "2026-08-03", "window": "2d", "prices_as_of": "2026-07-30", "seed": 7,
 "prices": [{"model": "spot", "usd_per_hour": 4}, {"model": "on_demand", "usd_per_hour": 10}],
 "workload": [
  {"name": "train", "class": "train", "users": 2, "poisson": {"per_day": 0.7}, "gpus": 8, "work": "9h"},
  {"name": "tune", "class": "tune", "users": 2, "poisson": {"per_day": 1.2}, "gpus": 4, "work": "7h"}
 ],
 "pools": [
  {"name": "small", "family": "a3-highgpu", "place": "us-central1-a", "gpus": 8},
  {"name": "large", "family": ")" +
         second_family + R"(", "place": "us-central1-b", "gpus": 64}
 ],
 "models": {"all": {"start_up": "10min"}},
 "reservations": [
  {"name": "held", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 1, "from": "2026-08-04"}
 ],
 "strategies": [
  {"name": "spills", "legs": [{"model": "spot", "places": ["us-central1-a"]},
                              {"model": "on_demand", "places": ["us-central1-b"]}]},
  {"name": "holds", "legs": [{"model": "reservation", "reservation": "held", "max_wait": "1h"},
                             {"model": "on_demand", "places": ["us-central1-b"]}]}
 ]
})";
}

Comparison compared(const std::string& text, GroupBy by) {
  const ScenarioLoader loader;
  const Scenario scenario = loader.load(text);
  CompareOptions options;
  options.replications = kGroupedRuns;
  options.by = by;
  return compare(scenario.world, options);
}

struct SumOfRows {
  double sum = 0;
  std::size_t rows = 0;  // that have the measure
};

SumOfRows sum_of(const std::vector<Summaries>& rows, Measure measure) {
  SumOfRows all;
  for (const Summaries& row : rows) {
    if (row[measure].is_absent()) continue;
    CHECK(row[measure].replications == kGroupedRuns);
    all.sum += row[measure].mean;
    ++all.rows;
  }
  return all;
}

// Of every measure that total and rows have.
std::size_t check_sums(const StrategyResult& strategy, const std::vector<Summaries>& rows) {
  std::size_t checked = 0;
  for (const MeasureInfo& measure : measure_table()) {
    const Summary& total = strategy.total[measure.measure];
    if (measure.kind != MeasureKind::sum || total.is_absent()) continue;
    INFO(strategy.name << ": " << measure.name);
    const SumOfRows all = sum_of(rows, measure.measure);
    if (all.rows == 0) continue;
    CHECK(all.sum == Approx(total.mean).margin(1e-9));
    ++checked;
  }
  return checked;
}

}  // namespace

TEST_CASE("Rows add up to the total, also where some replications do not use a pool", "[measures][groups]") {
  for (const GroupBy by : {GroupBy::job_class, GroupBy::user, GroupBy::gpu, GroupBy::pool}) {
    const Comparison comparison = compared(spilling_scenario("a3-highgpu"), by);
    for (const StrategyResult& strategy : comparison.strategies) {
      INFO("by " << kGroupByNames[static_cast<std::size_t>(by)]);
      CHECK(check_sums(strategy, strategy.groups) >= 15);
    }
  }
}

TEST_CASE("A pool that most replications do not use has the mean of all of them", "[measures][groups]") {
  const Comparison comparison = compared(spilling_scenario("a3-highgpu"), GroupBy::pool);
  const Summaries& large = comparison.strategies[0].groups[1];
  CHECK(large[Measure::goodput].replications < kGroupedRuns);  // a ratio of nothing is none
  CHECK(large[Measure::leased].replications == kGroupedRuns);
  // All of it is machines of 8 GPUs or less at the price of a whole one, so no GPU-hour is below its share.
  CHECK(large[Measure::cost].mean >= large[Measure::leased].mean * 10 / 8);
  CHECK(comparison.strategies[0].groups[2][Measure::leased].mean == 0);
  CHECK(comparison.strategies[0].groups[2][Measure::held].is_absent());
  CHECK(comparison.strategies[1].groups[0][Measure::held].mean == 0);
}

TEST_CASE("Hours of two GPU types are never added, and those of each add up", "[measures][groups]") {
  const Comparison by_pool = compared(spilling_scenario("a2-highgpu"), GroupBy::pool);
  const StrategyResult& strategy = by_pool.strategies[0];
  CHECK(check_sums(strategy, strategy.gpus) >= 10);
  // Some replications use one type alone: a mean of these would stand beside a cost of all of them.
  CHECK(strategy.total[Measure::leased].is_absent());
  CHECK(strategy.total[Measure::useful].is_absent());
  CHECK(strategy.total[Measure::goodput].is_absent());
  CHECK(strategy.total[Measure::cost_per_useful].is_absent());
  double by_type = 0;
  double of_pools = 0;
  for (const Summaries& row : strategy.gpus) by_type += row[Measure::leased].mean;
  for (const Summaries& row : strategy.groups) of_pools += row[Measure::leased].mean;
  CHECK(by_type > 0);
  CHECK(by_type == Approx(of_pools));
}
