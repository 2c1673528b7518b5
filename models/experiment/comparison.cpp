#include "models/experiment/comparison.h"

#include <algorithm>
#include <numeric>

#include "models/experiment/runner.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

void run_until_precise(Runner& runner, const CompareOptions& options, Comparison& comparison) {
  PrecisionReached& reached = comparison.precision.emplace();
  reached.asked = *options.precision;
  runner.run_until(1);
  comparison.replications = 1;
  while (runner.draws()) {
    comparison.replications = next_look(comparison.replications, options.precision->most);
    runner.run_until(comparison.replications);
    reached.looks.push_back(comparison.replications);
    reached.known = runner.known_to(*options.precision);
    for (RunObserver* observer : options.observers) observer->look(reached);
    if (reached.is_met() || comparison.replications == options.precision->most) break;
  }
}

}  // namespace

// FNV-1a over the eight bytes of each fingerprint.
std::uint64_t fingerprint_of(const std::vector<StrategyResult>& strategies) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const StrategyResult& strategy : strategies) {
    for (const std::uint64_t fingerprint : strategy.fingerprints) {
      for (unsigned byte = 0; byte < 8; ++byte) {
        hash = (hash ^ ((fingerprint >> (8 * byte)) & 0xffU)) * 0x100000001b3U;
      }
    }
  }
  return hash;
}

Comparison compare(const World& world, const CompareOptions& options) {
  STOCKOUT_CHECK(options.replications >= 1);
  std::vector<std::size_t> strategies = options.strategies;
  if (strategies.empty()) {
    strategies.resize(world.strategies.size());
    std::iota(strategies.begin(), strategies.end(), std::size_t{0});
  }
  Comparison comparison;
  comparison.goals = options.goals;
  Runner runner{world, options, std::move(strategies)};
  if (options.precision) {
    run_until_precise(runner, options, comparison);
  } else {
    runner.run_until(1);
    runner.run_until(options.replications);
    comparison.replications = options.replications;
  }
  if (options.control_variates) comparison.controls = runner.controls();
  comparison.strategies = runner.finish();
  comparison.fingerprint = fingerprint_of(comparison.strategies);
  return comparison;
}

}  // namespace stockout
