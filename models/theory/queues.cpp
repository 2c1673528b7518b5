#include "models/theory/queues.h"

#include <cmath>

#include "sim/core/check.h"

namespace stockout {

double erlang_b(int servers, double load) {
  STOCKOUT_CHECK(servers >= 0);
  STOCKOUT_CHECK(std::isfinite(load) && load >= 0);
  double blocked = 1;
  for (int k = 1; k <= servers; ++k) blocked = load * blocked / (k + load * blocked);
  return blocked;
}

double erlang_c(int servers, double load) {
  STOCKOUT_CHECK(servers >= 1);
  STOCKOUT_CHECK(load >= 0 && load < servers);
  const double blocked = erlang_b(servers, load);
  // (c - a) / c rather than 1 - a / c: near saturation the difference of the integers' size is exact.
  return blocked / ((servers - load) / servers + load / servers * blocked);
}

double mean_wait_mmc(int servers, double load) { return erlang_c(servers, load) / (servers - load); }

double mean_wait_mg1(double load, double squared_variation) {
  STOCKOUT_CHECK(load >= 0 && load < 1);
  STOCKOUT_CHECK(std::isfinite(squared_variation) && squared_variation >= 0);
  return load * (1 + squared_variation) / (2 * (1 - load));
}

double mean_wait_md1(double load) { return mean_wait_mg1(load, 0); }

double mean_fork_join(double load) {
  STOCKOUT_CHECK(load >= 0 && load < 1);
  return (12 - load) / 8 / (1 - load);
}

BatchQueue batch_queue_mm1(double load, double mean, double mean_square) {
  STOCKOUT_CHECK(load >= 0 && load < 1);
  STOCKOUT_CHECK(std::isfinite(mean_square) && mean >= 1 && mean_square >= mean * mean);
  return {.has_to_wait = 1 - (1 - load) / mean, .mean_wait = (1 + mean_square / mean) / (2 * (1 - load)) - 1};
}

PriorityWaits priority_waits_mm1(double first, double second) {
  STOCKOUT_CHECK(first >= 0 && second >= 0 && first + second < 1);
  const double load = first + second;
  return {.first = load / (1 - first), .second = load / ((1 - first) * (1 - load))};
}

double abandoned_mmc(int servers, double load, double patience) {
  STOCKOUT_CHECK(servers >= 1 && load > 0 && patience >= 0);
  double fewer = 1;  // chance of fewer than all busy, as a multiple of that of all but one
  for (int k = 2; k <= servers; ++k) fewer = 1 + fewer * (k - 1) / load;
  const double drift = load - servers;
  const double beyond = load * std::exp(drift * patience) / servers;
  const double within = load * (drift == 0 ? patience : std::expm1(drift * patience) / drift);
  return beyond / (fewer + within + beyond);
}

ImpatientQueue erlang_a(int servers, double load, double patience) {
  STOCKOUT_CHECK(servers >= 1);
  STOCKOUT_CHECK(load > 0 && load <= 1e8);
  STOCKOUT_CHECK(std::isfinite(patience) && patience > 0);
  constexpr double kLarge = 1e200;
  double nobody = 1;  // weight of all busy and nobody waiting
  double all = 1;
  double waiting = 0;
  double weight = 1;
  for (double k = 1;; ++k) {
    const double ratio = load / (servers + k / patience);
    weight *= ratio;
    all += weight;
    waiting += k * weight;
    // What is left out adds up to less than (k + 1) weight / (1 - ratio)^2.
    if (ratio < 1 && (k + 1) * weight < 1e-17 * (1 - ratio) * (1 - ratio) * (all + waiting)) break;
    if (weight < kLarge) continue;
    for (double* scaled : {&nobody, &all, &waiting, &weight}) *scaled /= kLarge;
  }
  const double blocked = erlang_b(servers, load);
  const double total = (1 - blocked) * nobody + blocked * all;
  const double mean_wait = blocked * waiting / total / load;
  return {.has_to_wait = blocked * all / total, .gives_up = mean_wait / patience, .mean_wait = mean_wait};
}

}  // namespace stockout
