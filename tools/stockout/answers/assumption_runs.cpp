#include "tools/stockout/answers/assumption_runs.h"

#include <utility>

#include "models/scenario/load/alternatives.h"
#include "models/scenario/load/usual_alternatives.h"
#include "sim/core/error.h"
#include "tools/report/comparison/report.h"
#include "tools/stockout/arguments/scenario_text.h"
#include "tools/stockout/arguments/work_limit.h"

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

void add_usual_alternatives(const ScenarioArguments& arguments, Scenario& written) {
  if (!written.alternatives.empty()) return;
  written.alternatives = usual_alternatives(scenario_text(written.file, arguments.options()).root);
  if (written.alternatives.empty()) return;
  written.assumptions.emplace_back(
      "The scenario lists no `alternatives`: the usual ones were tried, other loads of tenants and, where "
      "nothing is held, other sizes of pools");
}

// One scenario at a time: each may hold a trace.
void check_alternatives(const ScenarioArguments& arguments, const Scenario& written) {
  if (written.alternatives.empty()) {
    throw InputError{{.file = written.file, .pointer = "/alternatives"},
                     "is missing, and no pool has tenants whose `load` could be another: list what may be "
                     "otherwise, as scenarios/quickstart.json does (scenarios/REFERENCE.md)"};
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
