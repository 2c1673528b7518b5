#include <algorithm>

#include "tests/support/scenarios/random_scenario_plan.h"

namespace stockout::test {
namespace {

Json exits(ScenarioPlan& plan) {
  Json node{{"after", random_length(plan, 4, 30)}};
  if (!plan.calm) plan.maybe(30, node, "share", [&] { return plan.share(20, 100); });
  plan.maybe(40, node, "permanent", [&] { return plan.calm ? 0 : plan.share(0, 60); });
  return node;
}

void put_tries(ScenarioPlan& plan, Json& node) {
  for (const char* key : {"fault_restarts", "worker_restarts", "exit_restarts"}) {
    plan.maybe(25, node, key, [&] { return plan.chance(25) ? Json("unlimited") : Json(plan.number(0, 4)); });
  }
}

}  // namespace

void plan_exits(ScenarioPlan& plan) {
  const auto is_in_set = [](const Json& node) { return node.contains("with"); };
  if (!plan.chance(12) || std::ranges::any_of(plan.file["workload"], is_in_set)) return;
  // Where a class is described, and nowhere else.
  for (Json& node : plan.file["workload"]) {
    if (node.contains("checkpoint") || node.contains("parallel") || node.contains("priority"))
      plan.maybe(70, node, "exits", [&] { return exits(plan); });
  }
  if (plan.file.contains("classes")) {
    for (Json& node : plan.file["classes"]) plan.maybe(70, node, "exits", [&] { return exits(plan); });
  }
  if (plan.file.contains("models")) {
    for (Json& node : plan.file["models"]) put_tries(plan, node);
  }
  for (Json& strategy : plan.file["strategies"]) {
    for (Json& leg : strategy["legs"]) {
      put_tries(plan, leg);
      if (!strategy.contains("deadline_rule")) continue;
      for (const char* key : {"fault_restarts", "exit_restarts"}) leg.erase(key);
    }
  }
}

}  // namespace stockout::test
