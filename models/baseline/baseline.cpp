#include "models/baseline/baseline.h"

#include "models/experiment/recommended.h"

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

BaselineRecommendation recommendation_of(const Comparison& comparison, const std::optional<WaitGoal>& goal) {
  const Recommended found = recommended(comparison, goal);
  BaselineRecommendation recorded{
      .strategy = found.strategy ? comparison.strategies[*found.strategy].name : "",
      .is_sure = found.is_sure,
      .may_be = {},
      .may_be_none = found.may_be_none};
  for (const std::size_t i : found.may_be) recorded.may_be.push_back(comparison.strategies[i].name);
  return recorded;
}

}  // namespace

Baseline baseline_of(const Scenario& scenario, const Comparison& comparison, const std::string& version) {
  Baseline baseline{.version = version,
                    .scenario = scenario.name,
                    .seed = scenario.world.seed,
                    .replications = comparison.replications,
                    .fingerprint = comparison.fingerprint,
                    .tolerances = {},
                    .strategies = {},
                    .recommendation = recommendation_of(comparison, scenario.goal)};
  for (const StrategyResult& result : comparison.strategies) baseline.strategies.push_back(recorded(result));
  return baseline;
}

}  // namespace stockout
