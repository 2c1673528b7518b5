#include <algorithm>

#include "tests/support/scenarios/random_scenario_plan.h"

// Quotas of a scenario file at random: few GPUs, so that they are short, and increases soon after the start.
namespace stockout::test {
namespace {

Json increase(ScenarioPlan& plan, std::int64_t limit) {
  const std::int64_t to = limit + plan.number(1, 40);
  Json node{{"requested", plan.day(plan.number(-3, plan.days))}, {"to", to}};
  plan.maybe(60, node, "business_days", [&] { return plan.number(0, 2); });
  plan.maybe(40, node, "granted", [&] { return plan.number(0, to); });
  return node;
}

Json limit(ScenarioPlan& plan) {
  const PlannedFamily& family = plan.family_of(plan.one_of(plan.pools));
  Json node = Json::object();
  plan.maybe(80, node, "region", [&] { return family.region; });
  const bool of_cpus = plan.chance(25);
  if (of_cpus) {
    node["cpus"] = plan.chance(70) ? family.name : "all";
  } else {
    plan.maybe(70, node, "gpu", [&] { return family.gpu; });
  }
  plan.maybe(70, node, "kind", [&] { return plan.word({"any", "on_demand", "on_demand", "preemptible"}); });
  const std::int64_t least = plan.chance(25) ? 0 : 8;
  node["limit"] = of_cpus ? plan.number(least, 400) : plan.number(least, 40);
  for (std::int64_t i = plan.number(0, 2); i > 0; --i) {
    node["increases"].push_back(increase(plan, node["limit"].get<std::int64_t>()));
  }
  return node;
}

// Two limits for the same are an error.
bool is_new(const Json& limits, const Json& node) {
  return std::ranges::none_of(limits, [&](const Json& other) {
    const auto alike = [&](const char* key, const char* otherwise) {
      return node.value(key, otherwise) == other.value(key, otherwise);
    };
    return alike("region", "") && alike("gpu", "") && alike("cpus", "") && alike("kind", "any");
  });
}

Json rule(ScenarioPlan& plan) {
  Json node = Json::object();
  plan.maybe(80, node, "when_short", [&] { return plan.word({"refuse", "wait", "back_off"}); });
  plan.maybe(60, node, "taken_at", [&] { return plan.word({"request", "start"}); });
  plan.maybe(50, node, "back_off", [&] { return plan.halves(1, 4); });
  plan.maybe(50, node, "back_off_most", [&] { return plan.halves(5, 9); });
  if (node.value("when_short", "") != "back_off") {
    node.erase("back_off");
    node.erase("back_off_most");
  }
  return node;
}

}  // namespace

void plan_quota(ScenarioPlan& plan) {
  if (!plan.chance(20)) return;
  Json& quota = plan.file["quota"] = Json::object();
  quota["limits"] = Json::array();
  for (std::int64_t i = plan.number(1, 3); i > 0; --i) {
    const Json node = limit(plan);
    if (is_new(quota["limits"], node)) quota["limits"].push_back(node);
  }
  const auto grows = [](const Json& node) { return node.contains("increases"); };
  if (std::ranges::any_of(quota["limits"], grows)) {
    plan.maybe(50, quota, "business_days", [&] { return plan.number(0, 3); });
    plan.maybe(30, quota, "holidays", [&] { return Json::array({plan.day(0), plan.day(1)}); });
  }
  plan.maybe(30, quota, "fallback", [&] { return plan.chance(50); });
  for (Json& strategy : plan.file["strategies"]) {
    plan.maybe(75, strategy, "quota", [&] { return rule(plan); });
  }
}

}  // namespace stockout::test
