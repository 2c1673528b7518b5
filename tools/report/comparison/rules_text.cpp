#include "tools/report/comparison/rules_text.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/consumption/orchestrator_rules.h"

namespace stockout {
namespace {

std::vector<const Strategy*> compared_in(const Report& report) {
  std::vector<const Strategy*> strategies;
  for (const StrategyResult& result : report.comparison.strategies) {
    const auto found = std::ranges::find(report.scenario.world.strategies, result.name, &Strategy::name);
    if (found != report.scenario.world.strategies.end()) strategies.push_back(&*found);
  }
  return strategies;
}

bool is_unnamed(const Strategy* strategy) {
  return std::ranges::any_of(strategy->legs, [](const Leg& leg) { return !leg.orchestrator; });
}

}  // namespace

std::string unnamed_text(const std::vector<const Strategy*>& strategies) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(strategies, is_unnamed));
  if (count == 0) return {};
  const std::string where =
      count == strategies.size() ? "" : fmt::format(" in {} of {} strategies", count, strategies.size());
  return fmt::format("No orchestrator is named{}: retries, restarts and waits follow the rules of {}.", where,
                     title_of(kRulesByDefault));
}

std::string unnamed_text(const Report& report) { return unnamed_text(compared_in(report)); }

std::string rules_text(const Report& report) {
  std::set<OrchestratorName> used;
  for (const Strategy* strategy : compared_in(report)) {
    for (const Leg& leg : strategy->legs) used.insert(leg.orchestrator.value_or(kRulesByDefault));
  }
  std::vector<std::string_view> titles;
  for (const OrchestratorName orchestrator : used) titles.push_back(title_of(orchestrator));
  return fmt::format("{}", fmt::join(titles, ", "));
}

}  // namespace stockout
