// Over random small worlds, with random prices, commitments and other costs: what a strategy paid is never
// less than the bound for the jobs it completed; deadlines never make a bound lower, nor does buying in its
// own ways instead of any, where no held capacity is paid as a whole.

#include <cstdint>
#include <string>

#include <catch2/catch.hpp>

#include "models/bound/bound_book.h"
#include "models/experiment/comparison.h"
#include "models/measures/measures.h"
#include "models/scenario/scenario.h"
#include "models/simulation/simulate.h"
#include "tests/support/fewer.h"
#include "tests/support/random_choice.h"
#include "tests/support/runs/observed.h"
#include "tests/support/worlds/random_bill.h"
#include "tests/support/worlds/random_world.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kWorlds = fewer(6'000);

/// How many runs told something: a cost above 0, and jobs that were completed.
struct Tally {
  int told = 0;
  int with_deadlines = 0;
  int met = 0;  // the bound is the cost, nearly
};

void check_world(std::uint64_t seed, Tally& tally) {
  World world = random_world(seed);
  world.gpu_types = {"any"};
  Choice choice{seed + 77'000'000};
  add_prices(world, choice);
  const BillTerms terms = random_terms(world, choice);
  for (std::size_t strategy = 0; strategy < world.strategies.size(); ++strategy) {
    const std::uint64_t replication = seed % 3;
    const RunRecord record = simulate(world, strategy, replication);
    MeasureOptions options;
    options.terms = &terms;
    const double cost = measure(world, strategy, replication, record, options).total[Measure::cost].value;
    const RunBounds bounds = bounds_of_run(world, &terms, strategy, replication, record, cost);
    CAPTURE(seed, strategy, cost, bounds.jobs);
    CHECK(bounds.any.without <= bounds.any.with);
    CHECK(bounds.own.without <= bounds.own.with);
    CHECK(bounds.any.with <= cost + 1e-12);
    CHECK(bounds.own.with <= cost + 1e-12);
    tally.told += bounds.jobs > 0 && bounds.own.with > 0 ? 1 : 0;
    tally.with_deadlines += bounds.own.with > bounds.own.without ? 1 : 0;
    tally.met += bounds.jobs > 0 && bounds.own.with > 0.999 * cost && cost > 0 ? 1 : 0;
  }
}

}  // namespace

TEST_CASE("No strategy of a random world is cheaper than the bound for the jobs it completed", "[bound]") {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= kWorlds; ++seed) check_world(seed, tally);
  INFO("told " << tally.told << ", by deadlines " << tally.with_deadlines << ", met " << tally.met);
  CHECK(tally.told > static_cast<int>(kWorlds / 3));
  CHECK(tally.with_deadlines > static_cast<int>(kWorlds / 120));
  CHECK(tally.met > static_cast<int>(kWorlds / 120));
}

TEST_CASE("No strategy of a scenario that comes with the program is cheaper than its bound",
          "[bound][evidence]") {
  const std::string name =
      GENERATE("by-hand", "calendar", "commitments", "deadline", "flex-forms", "held-capacity", "many-zones",
               "markov-zones", "partial-gangs", "quickstart", "short-jobs", "spot-lifetimes", "which-gpu");
  const Scenario scenario = load_scenario(std::string{STOCKOUT_SCENARIOS_DIR} + "/" + name + ".json");
  BoundBook book{scenario.world, &scenario.terms};
  CompareOptions options;
  options.terms = &scenario.terms;
  EachRun costs{[&](const RunPlace& run, const RunRecord& record, const Measures& measures) {
    book.add(run.strategy, run.replication, record, measures.total[Measure::cost].value);
  }};
  options.observers = {&costs};
  static_cast<void>(compare(scenario.world, options));
  const BoundSummary summary = book.summary();
  CHECK(summary.rows.size() == scenario.world.strategies.size());
  CHECK(summary.replications == 1);
  REQUIRE(summary.all_jobs.without);
  for (const BoundSummary::Row& row : summary.rows) {
    CAPTURE(name, row.strategy);
    CHECK(row.any.without.mean <= row.any.with.mean);
    CHECK(row.any.with.mean <= row.cost.mean);
    CHECK(row.own.with.mean <= row.cost.mean);
    CHECK((row.jobs == 0 || row.any.without.mean > 0));
    if (row.jobs == summary.jobs) CHECK(row.any.without.mean <= summary.all_jobs.without->mean * 1.000'001);
  }
}
