#include "models/baseline/baseline.h"

namespace stockout {
namespace {

BaselineStrategy recorded(const StrategyResult& result) {
  BaselineStrategy strategy{.name = result.name,
                            .replications = result.replications,
                            .fingerprint = fingerprint_of({result}),
                            .never_ran = result.never_ran,
                            .measures = {}};
  for (const MeasureInfo& measure : measure_table())
    strategy.measures.emplace_back(measure.name, result.total[measure.measure]);
  return strategy;
}

}  // namespace

Baseline baseline_of(const Scenario& scenario, const Comparison& comparison, const std::string& version) {
  Baseline baseline{.version = version,
                    .scenario = scenario.name,
                    .seed = scenario.world.seed,
                    .replications = comparison.replications,
                    .fingerprint = comparison.fingerprint,
                    .tolerances = {},
                    .strategies = {}};
  for (const StrategyResult& result : comparison.strategies) baseline.strategies.push_back(recorded(result));
  return baseline;
}

}  // namespace stockout
