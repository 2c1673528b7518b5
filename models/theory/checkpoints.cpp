#include "models/theory/checkpoints.h"

#include <cmath>
#include <numeric>

#include "sim/core/check.h"

namespace stockout {

double young_interval(double write, double mean_life) {
  STOCKOUT_CHECK(std::isfinite(write) && write >= 0);
  STOCKOUT_CHECK(std::isfinite(mean_life) && mean_life > 0);
  return std::sqrt(2 * write * mean_life);
}

double daly_interval(double write, double mean_life) {
  const double first = young_interval(write, mean_life);
  const double part = write / (2 * mean_life);
  if (part >= 1) return mean_life;
  return first * (1 + std::sqrt(part) / 3 + part / 9) - write;
}

double best_interval(double write, double mean_life) {
  STOCKOUT_CHECK(std::isfinite(write) && write > 0);
  STOCKOUT_CHECK(std::isfinite(mean_life) && mean_life > 0);
  // With x = I / M and c = C / M: x + expm1(-(x + c)) rises on x > 0, from below 0 to above 0 at x = 1.
  const double c = write / mean_life;
  double low = 0;
  double high = 1;
  for (int halved = 0; halved < 200 && low < high; ++halved) {
    const double x = std::midpoint(low, high);
    if (x == low || x == high) break;
    (x + std::expm1(-(x + c)) < 0 ? low : high) = x;
  }
  return high * mean_life;
}

double mean_run_time(const CheckpointedJob& job) {
  STOCKOUT_CHECK(std::isfinite(job.work) && job.work > 0);
  STOCKOUT_CHECK(job.every > 0);
  STOCKOUT_CHECK(std::isfinite(job.write) && job.write >= 0);
  STOCKOUT_CHECK(std::isfinite(job.restart) && job.restart >= 0);
  STOCKOUT_CHECK(std::isfinite(job.mean_life) && job.mean_life > 0);
  const double life = job.mean_life;
  const double checkpoints = std::ceil(job.work / job.every) - 1;
  const double last = checkpoints > 0 ? job.work - checkpoints * job.every : job.work;
  const double stretch = checkpoints > 0 ? std::expm1((job.every + job.write) / life) : 0;
  const double stretches = checkpoints * stretch + std::expm1(last / life);
  return life * (std::expm1(job.restart / life) + std::exp(job.restart / life) * stretches);
}

}  // namespace stockout
