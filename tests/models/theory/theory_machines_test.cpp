// Closed forms for machines that die, are repaired, or are reserved: against printed numbers, against sums
// done the long way, and against one another.

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <boost/math/special_functions/lambert_w.hpp>
#include <catch2/catch.hpp>

#include "models/theory/breakdowns.h"
#include "models/theory/checkpoints.h"
#include "models/theory/queues.h"
#include "models/theory/reserve_size.h"
#include "sim/core/check.h"

using namespace stockout;

namespace {

// E max(N - machines, 0) of a Poisson number, term by term.
double excess(int machines, double mean) {
  double term = std::exp(-mean);
  double sum = 0;
  for (int n = 0; n < 400; ++n) {
    if (n > machines) sum += (n - machines) * term;
    term *= mean / (n + 1);
  }
  return sum;
}

}  // namespace

TEST_CASE("Young's and Daly's intervals are near the best one for short checkpoints", "[theory]") {
  CHECK(young_interval(5, 1'440) == Approx(120));  // sqrt(2 x 5 min x 1 day) = 2 h
  // sqrt(240) (1 + 1/3 sqrt(5 / 48) ... by hand for C = 10, M = 12: C / 2M = 5/12.
  const double part = 5.0 / 12;
  CHECK(daly_interval(10, 12) == Approx(std::sqrt(240.0) * (1 + std::sqrt(part) / 3 + part / 9) - 10));
  CHECK(daly_interval(24, 12) == 12);  // C >= 2 M: once in a life
  CHECK(daly_interval(100, 12) == 12);
  CHECK(young_interval(0, 12) == 0);
  for (const double write : {1e-6, 1e-4, 1e-2, 0.1, 0.5, 1.0, 3.0}) {
    CAPTURE(write);
    // 1 - x = exp(-(x + c)) has the solution x = 1 + W(-exp(-1 - c)).
    const double best = 1 + boost::math::lambert_w0(-std::exp(-1 - write));
    CHECK(best_interval(write, 1) == Approx(best).epsilon(1e-9));
    CHECK(best_interval(7 * write, 7) == Approx(7 * best).epsilon(1e-9));
    if (write > 0.1) continue;
    CHECK(daly_interval(write, 1) == Approx(best).epsilon(1e-3));
    CHECK(std::abs(daly_interval(write, 1) - best) < std::abs(young_interval(write, 1) - best));
  }
}

TEST_CASE("The best interval makes endless work fastest", "[theory]") {
  const auto time_for = [](double every) {
    return mean_run_time({.work = 1'000 * every, .every = every, .write = 0.1, .mean_life = 5}) /
           (1'000 * every);
  };
  const double best = best_interval(0.1, 5);
  for (const double factor : {0.5, 0.9, 0.98, 1.02, 1.1, 2.0}) {
    CHECK(time_for(best) < time_for(best * factor));
  }
}

TEST_CASE("The mean run time is that of a walk over the stretches", "[theory]") {
  // Three stretches by hand: 4 + 1, 4 + 1 and 2 of 10, each worked out from the chance to end it at first go.
  const double life = 6;
  const double restart = 0.5;
  const auto stretch = [&](double first, double again) {
    // E = E min(L, first) + P(L < first) E', E' = E min(L, again) + P(L < again) E'.
    const auto mean_below = [&](double x) { return life * -std::expm1(-x / life); };
    const double repeated = mean_below(again) / std::exp(-again / life);
    return mean_below(first) + -std::expm1(-first / life) * repeated;
  };
  const double by_hand =
      stretch(5 + restart, 5 + restart) + stretch(5, 5 + restart) + stretch(2, 2 + restart);
  CHECK(mean_run_time({.work = 10, .every = 4, .write = 1, .restart = restart, .mean_life = life}) ==
        Approx(by_hand).epsilon(1e-12));
  // Work that is a multiple has no checkpoint at its end; none at all is one stretch.
  CHECK(mean_run_time({.work = 8, .every = 4, .write = 1, .restart = restart, .mean_life = life}) ==
        Approx(stretch(5 + restart, 5 + restart) + stretch(4, 4 + restart)).epsilon(1e-12));
  CHECK(mean_run_time({.work = 8, .every = 8, .write = 1, .mean_life = life}) ==
        Approx(life * std::expm1(8 / life)));
  CHECK(mean_run_time({.work = 8, .every = 100, .write = 1, .mean_life = 1e9}) == Approx(8));
  CHECK(std::isinf(mean_run_time({.work = 8, .every = 9, .mean_life = 1e-3})));
}

TEST_CASE("Broken machines add up, and each is down its share of the time", "[theory]") {
  for (const int machines : {0, 1, 7, 500}) {
    const std::vector<double> down = machines_down(machines, 30, 10);
    REQUIRE(down.size() == static_cast<std::size_t>(machines) + 1);
    double mean = 0;
    for (std::size_t k = 0; k < down.size(); ++k) mean += static_cast<double>(k) * down[k];
    CHECK(std::accumulate(down.begin(), down.end(), 0.0) == Approx(1));
    CHECK(mean == Approx(machines * 0.25).margin(1e-12));
  }
  CHECK(machines_down(2, 30, 10)[1] == Approx(2 * 0.25 * 0.75));
  CHECK(machines_down(3, 30, 0)[0] == 1);
}

TEST_CASE("What moved places cost is the Poisson excess term by term", "[theory]") {
  const ReserveChoice choice{.load = 12.5, .reserved = 0.4, .on_demand = 1};
  for (const int machines : {0, 1, 5, 12, 13, 20, 40}) {
    CAPTURE(machines);
    CHECK(cost_of_moved_places(machines, choice) ==
          Approx(0.4 * machines + excess(machines, 12.5)).epsilon(1e-10));
    CHECK(cost_of_moved_places(machines, choice) <= cost_of_kept_places(machines, choice) * (1 + 1e-12));
  }
  CHECK(cost_of_kept_places(0, choice) == 12.5);
  CHECK(cost_of_kept_places(1, choice) == Approx(0.4 + 12.5 * 12.5 / 13.5));  // B(1, a) = a / (1 + a)
}

TEST_CASE("No other number of reserved machines is cheaper", "[theory]") {
  for (const double load : {0.0, 0.3, 2.0, 12.5, 150.0}) {
    for (const double reserved : {0.05, 0.4, 0.8, 0.999, 1.5}) {
      CAPTURE(load, reserved);
      const ReserveChoice choice{.load = load, .reserved = reserved, .on_demand = 1};
      const int kept = reserve_of_kept_places(choice);
      const int moved = reserve_of_moved_places(choice);
      for (int machines = 0; machines < 300; ++machines) {
        CHECK(cost_of_kept_places(kept, choice) <= cost_of_kept_places(machines, choice) + 1e-9);
        CHECK(cost_of_moved_places(moved, choice) <= cost_of_moved_places(machines, choice) + 1e-9);
      }
    }
  }
  // A reservation at the price of machines on demand is worth nothing, however large the load.
  CHECK(reserve_of_kept_places({.load = 1e6, .reserved = 1, .on_demand = 1}) == 0);
  CHECK(reserve_of_moved_places({.load = 100, .reserved = 1, .on_demand = 1}) == 0);
}

TEST_CASE("Closed forms of machines refuse what they do not hold for", "[theory]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(young_interval(-1, 1), InvariantError);
  CHECK_THROWS_AS(daly_interval(1, 0), InvariantError);
  CHECK_THROWS_AS(daly_interval(1, nan), InvariantError);
  CHECK_THROWS_AS(best_interval(0, 1), InvariantError);
  CHECK_THROWS_AS(mean_run_time({.work = 1, .every = 0, .mean_life = 1}), InvariantError);
  CHECK_THROWS_AS(mean_run_time({.work = nan, .every = 1, .mean_life = 1}), InvariantError);
  CHECK_THROWS_AS(machines_down(-1, 1, 1), InvariantError);
  CHECK_THROWS_AS(machines_down(1, 0, 1), InvariantError);
  CHECK_THROWS_AS(cost_of_kept_places(-1, {.load = 1, .reserved = 1, .on_demand = 1}), InvariantError);
  CHECK_THROWS_AS(cost_of_moved_places(-1, {.load = 1, .reserved = 1, .on_demand = 1}), InvariantError);
  CHECK_THROWS_AS(reserve_of_kept_places({.load = nan, .reserved = 1, .on_demand = 1}), InvariantError);
  CHECK_THROWS_AS(reserve_of_moved_places({.load = 1, .reserved = 0, .on_demand = 1}), InvariantError);
}
