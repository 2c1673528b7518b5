#include "tools/stockout/assumption_runs.h"

#include <utility>

#include "models/scenario/load/alternatives.h"
#include "sim/core/error.h"
#include "tools/report/comparison/report.h"
#include "tools/stockout/work_limit.h"

namespace stockout {
namespace {

// As exact as the command line asks of what is written.
Scenario load_one(const Scenario& written, const Alternative& alternative,
                  const std::function<Scenario(const std::vector<PlacedValue>&)>& load) {
  Scenario other = load_alternative(written, alternative, load);
  other.precision = written.precision;
  other.control_variates = written.control_variates;
  return other;
}

}  // namespace

// One scenario at a time: each may hold a trace.
void check_alternatives(const ScenarioArguments& arguments, const Scenario& written) {
  if (written.alternatives.empty()) {
    throw InputError{{.file = written.file, .pointer = "/alternatives"},
                     "is missing: without it there is nothing else to assume (scenarios/REFERENCE.md)"};
  }
  const std::size_t variants = written.alternatives.size() + 1;
  check_total_work(written, variants);
  const auto load = [&](const std::vector<PlacedValue>& placed) { return arguments.load(placed); };
  for (const Alternative& alternative : written.alternatives)
    check_total_work(load_one(written, alternative, load), variants);
}

AssumptionBand run_alternatives(const ScenarioArguments& arguments, const Scenario& written,
                                const Comparison& comparison, const Verdict& verdict,
                                const std::function<Comparison(const Scenario&)>& compare_in) {
  std::vector<AlternativeResult> results;
  const auto load = [&](const std::vector<PlacedValue>& placed) { return arguments.load_to_run(placed); };
  for (const Alternative& alternative : written.alternatives) {
    const Scenario scenario = load_one(written, alternative, load);
    AlternativeResult result{.rule = alternative.rule,
                             .name = alternative.name,
                             .comparison = compare_in(scenario),
                             .verdict = {}};
    for (StrategyResult& strategy : result.comparison.strategies) strategy.groups = {};  // not told of
    result.verdict = judge(result.comparison, scenario.goal, goal_text(scenario));
    results.push_back(std::move(result));
  }
  return make_band(comparison, verdict, std::move(results), written.goal);
}

}  // namespace stockout
