#include "models/scenario/supply/growth.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/supply/availability.h"

namespace stockout {
namespace {

constexpr std::int64_t kMostGrowthSteps = 100'000;

// After so many steps, in GPUs; as a double, since it may be beyond every bound.
double grown(const CapacityGrowth& growth, std::int64_t steps) {
  const auto start = static_cast<double>(growth.start.count());
  const auto n = static_cast<double>(steps);
  if (growth.added != GpuCount{0})
    return std::max(0.0, start + static_cast<double>(growth.added.count()) * n);
  const auto unit = static_cast<double>(growth.unit.count());
  return std::floor(start * std::pow(growth.factor, n) / unit) * unit;
}

}  // namespace

std::vector<CapacityStep> grow(const Node& node, const CapacityGrowth& growth, SimTime begin, SimTime end) {
  const std::int64_t count = (end - growth.origin) / growth.every;
  if (count > kMostGrowthSteps) {
    node.at("every").fail(
        fmt::format("makes {} steps before the run ends; at most {} are kept", count, kMostGrowthSteps));
  }
  std::vector<CapacityStep> steps{{.at = begin, .gpus = growth.start}};
  for (std::int64_t i = 1; i <= count; ++i) {
    const double gpus = grown(growth, i);
    if (gpus > static_cast<double>(kUnlimitedGpus.count())) {
      node.fail(fmt::format("makes more than the {} GPUs a pool may have, before the run ends",
                            kUnlimitedGpus.count()));
    }
    const GpuCount whole{static_cast<std::int64_t>(gpus)};
    const SimTime at = growth.origin + growth.every * i;
    if (at <= begin) steps.back().gpus = whole;
    if (whole != steps.back().gpus) steps.push_back({.at = at, .gpus = whole});
  }
  return steps;
}

}  // namespace stockout
