#include "models/theory/gang_loss.h"

#include <cmath>
#include <numeric>

#include "sim/core/check.h"

namespace stockout {
namespace {

constexpr int kCapacityMax = 100'000'000;

/// States are worked out up to a common factor, which grows like e^load: beyond this it is taken out again.
constexpr double kRescaleAbove = 1e200;

void check_arguments(int capacity, std::span<const GangLoad> classes) {
  STOCKOUT_CHECK(capacity >= 0 && capacity <= kCapacityMax);
  for (const GangLoad& gang : classes) {
    STOCKOUT_CHECK(std::isfinite(gang.load) && gang.load >= 0 && gang.load < kRescaleAbove);
    STOCKOUT_CHECK(gang.gpus >= 1);
  }
}

/// Share of time with j GPUs taken, times an unknown common factor.
std::vector<double> occupancy(int capacity, std::span<const GangLoad> classes) {
  std::vector<double> share(static_cast<std::size_t>(capacity) + 1, 0.0);
  share[0] = 1;
  for (int taken = 1; taken <= capacity; ++taken) {
    const auto j = static_cast<std::size_t>(taken);
    for (const GangLoad& gang : classes) {
      if (gang.gpus > taken) continue;
      share[j] += gang.load * gang.gpus / taken * share[j - static_cast<std::size_t>(gang.gpus)];
    }
    if (share[j] <= kRescaleAbove) continue;
    const double factor = share[j];
    for (std::size_t i = 0; i <= j; ++i) share[i] /= factor;
  }
  return share;
}

}  // namespace

std::vector<double> gang_blocking(int capacity, std::span<const GangLoad> classes) {
  check_arguments(capacity, classes);
  const std::vector<double> share = occupancy(capacity, classes);
  const double all = std::accumulate(share.begin(), share.end(), 0.0);
  std::vector<double> blocked;
  for (const GangLoad& gang : classes) {
    const auto full = gang.gpus > capacity ? share.begin() : share.end() - gang.gpus;
    blocked.push_back(gang.gpus > capacity ? 1.0 : std::accumulate(full, share.end(), 0.0) / all);
  }
  return blocked;
}

}  // namespace stockout
