// Worlds that take turns: a comparison over them, worked out by hand. Its unit is a round.

#include <atomic>
#include <cmath>

#include <catch2/catch.hpp>

#include "models/experiment/over_turns.h"

using namespace stockout;

namespace {

constexpr double kStudentOfTwo = 12.7062047361747;  // 97.5 %, one degree of freedom

Measures costing(double usd, bool drew = true) {
  Measures run;
  run.total.set(Measure::cost, usd);
  run.drew = drew;
  run.fingerprint = static_cast<std::uint64_t>(usd);
  return run;
}

World two_strategies() {
  World world;
  world.strategies.resize(2);
  world.strategies[0].name = "noisy";
  world.strategies[1].name = "fixed";
  return world;
}

}  // namespace

TEST_CASE("Worlds have their turns by weight, without a divisor in common", "[worlds]") {
  const std::vector<double> weights{0.6, 0.2, 0.2};
  const WorldTurns turns = WorldTurns::by_weight(weights, 20);
  CHECK(turns.in_round() == std::vector<std::size_t>{3, 1, 1});
  CHECK(turns.round() == 5);
  CHECK(turns.world_of(7) == 0);
  CHECK(turns.world_of(9) == 2);
  CHECK(turns.first_alike(9) == 4);
  CHECK(turns.whole_rounds(5) == 5);
  CHECK(turns.whole_rounds(6) == 10);
  CHECK(WorldTurns{}.round() == 1);
  CHECK(WorldTurns{}.whole_rounds(7) == 7);
}

TEST_CASE("A round is one observation: its mean, and an interval over rounds", "[worlds]") {
  // World 0 has two turns of three. "noisy" costs 100 + replication there, and 1,000 + replication in world
  // 1: rounds cost (100 + 101 + 1002) / 3 = 401 and (103 + 104 + 1005) / 3 = 404.
  std::atomic<int> runs_of_fixed{0};
  const World any = two_strategies();
  const auto measure = [&](std::size_t world, const RunPlace& run) {
    if (run.strategy == 1) {
      ++runs_of_fixed;
      return costing(world == 0 ? 10 : 40, false);
    }
    return costing((world == 0 ? 100 : 1000) + static_cast<double>(run.replication));
  };
  const WorldTurns turns{{2, 1}};
  const Comparison found = compare_over_turns(any, turns, {.replications = 6, .threads = 2}, measure);
  CHECK(found.replications == 2);
  REQUIRE(found.strategies.size() == 2);
  const Summary& cost = found.strategies[0].total[Measure::cost];
  CHECK(found.strategies[0].costs == std::vector<double>{401, 404});
  CHECK(cost.mean == Approx(402.5));
  CHECK(cost.replications == 2);
  CHECK(*cost.half_width == Approx(kStudentOfTwo * (3 / std::sqrt(2.0)) / std::sqrt(2.0)));
  // Nothing is drawn: once in each world, one round, no interval.
  CHECK(runs_of_fixed == 2);
  CHECK(found.strategies[1].costs == std::vector<double>{20});
  CHECK_FALSE(found.strategies[1].total[Measure::cost].half_width);
  CHECK_FALSE(found.strategies[1].drew);
  // Worlds apart by ten times are no noise: a single round says nothing of chance.
  const Comparison one = compare_over_turns(any, turns, {.replications = 3}, measure);
  CHECK_FALSE(one.strategies[0].total[Measure::cost].half_width);
  const Comparison alone = compare_over_turns(any, turns, {.replications = 6, .threads = 1}, measure);
  CHECK(alone.fingerprint == found.fingerprint);
}

TEST_CASE("What draws in one world alone is run again in that world alone", "[worlds]") {
  std::atomic<int> again_in_quiet{0};
  const World any = two_strategies();
  const Comparison found = compare_over_turns(
      any, WorldTurns{{1, 2}}, {.replications = 6}, [&](std::size_t world, const RunPlace& run) {
        if (world == 1 && run.replication > 1) ++again_in_quiet;
        return world == 0 ? costing(static_cast<double>(run.replication)) : costing(30, false);
      });
  CHECK(again_in_quiet == 0);
  CHECK(found.strategies[0].costs == std::vector<double>{20, 21});  // (0 + 30 + 30) / 3, (3 + 30 + 30) / 3
}

TEST_CASE("In a round sums are of all, averages of those that have one, bounds stay bounds", "[worlds]") {
  Measures one = costing(6);
  one.total.set(Measure::wait_mean, 2);
  one.total[Measure::wait_p95] = Value::at_least(5);
  one.goals = {{.value = Value::exact(0.5), .jobs = 4}};
  one.classes = {{.jobs = 3, .started = 0}};
  Measures other = costing(10);
  other.total.set(Measure::wait_p95, 7);
  other.total.set(Measure::jobs, 1);
  other.goals = {{.value = {}, .jobs = 0}};
  other.classes = {{.jobs = 2, .started = 1}};
  const Measures mean = mean_of_round({&one, &other});
  CHECK(mean.total[Measure::cost] == Value::exact(8));
  CHECK(mean.total[Measure::wait_mean] == Value::exact(2));
  CHECK(mean.total[Measure::wait_p95] == Value::at_least(6));
  CHECK(mean.total[Measure::jobs].is_absent());
  CHECK(mean.goals[0] == GoalMet{.value = Value::exact(0.5), .jobs = 4});
  CHECK(mean.classes[0] == ClassStarts{.jobs = 5, .started = 1});
  CHECK(mean_of_round({&one}).fingerprint == one.fingerprint);
}
