#include "models/theory/reserve_size.h"

#include <cmath>

#include <boost/math/special_functions/gamma.hpp>

#include "models/theory/queues.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

void check(const ReserveChoice& choice) {
  STOCKOUT_CHECK(choice.load >= 0 && choice.load <= 1e8);
  STOCKOUT_CHECK(std::isfinite(choice.reserved) && choice.reserved > 0);
  STOCKOUT_CHECK(std::isfinite(choice.on_demand) && choice.on_demand > 0);
}

// Of a Poisson number.
double at_least(int number, double mean) {
  if (number <= 0) return 1;
  return mean > 0 ? boost::math::gamma_p(static_cast<double>(number), mean) : 0;
}

}  // namespace

double cost_of_kept_places(int machines, const ReserveChoice& choice) {
  check(choice);
  const double overflow = choice.load * erlang_b(machines, choice.load);
  return choice.reserved * machines + choice.on_demand * overflow;
}

int reserve_of_kept_places(const ReserveChoice& choice) {
  check(choice);
  const double worth = choice.reserved / choice.on_demand;
  double blocked = 1;
  for (int machines = 0;; ++machines) {
    const double next = choice.load * blocked / (machines + 1 + choice.load * blocked);
    if (choice.load * (blocked - next) <= worth) return machines;
    blocked = next;
  }
}

double cost_of_moved_places(int machines, const ReserveChoice& choice) {
  check(choice);
  STOCKOUT_CHECK(machines >= 0);
  const double overflow =
      choice.load * at_least(machines, choice.load) - machines * at_least(machines + 1, choice.load);
  return choice.reserved * machines + choice.on_demand * overflow;
}

int reserve_of_moved_places(const ReserveChoice& choice) {
  check(choice);
  const double worth = choice.reserved / choice.on_demand;
  int machines = 0;
  while (at_least(machines + 1, choice.load) > worth) ++machines;
  return machines;
}

}  // namespace stockout
