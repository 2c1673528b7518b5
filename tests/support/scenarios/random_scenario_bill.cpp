#include <fmt/format.h>

#include "tests/support/scenarios/random_scenario_plan.h"

namespace stockout::test {
namespace {

/// Some of the machines at another price than that which holds for all.
Json price(ScenarioPlan& plan) {
  const PlannedFamily& family = plan.one_of(plan.families);
  Json node = Json::object();
  if (plan.chance(40)) {
    node["machine"] = plan.one_of(family.machines)->name;
  } else if (plan.chance(50)) {
    node["gpu"] = family.gpu;
  }
  plan.maybe(30, node, "region", [&] { return family.region; });
  plan.maybe(60, node, "model", [&] {
    return plan.word({"on_demand", "spot", "flex_start", "calendar", "cud_1y", "cud_3y", "management_fee"});
  });
  plan.maybe(30, node, "use", [&] { return plan.word({"leased", "held", "existing"}); });
  node["usd_per_hour"] = plan.number(0, 40);
  plan.maybe(40, node, "from", [&] { return plan.day(plan.number(-1, 1)); });
  plan.maybe(40, node, "until", [&] { return plan.day(plan.number(2, 4)); });
  plan.maybe(30, node, "label", [] { return "agreed"; });
  plan.maybe(30, node, "as_of", [&] { return plan.day(plan.number(-300, 0)); });
  return node;
}

/// Off the list: for machines whose prices the catalogue has.
Json discount(ScenarioPlan& plan) {
  Json node{
      {"gpu", "H100-80GB"}, {"model", "spot"}, {"region", "us-central1"}, {"factor", plan.share(50, 120)}};
  plan.maybe(50, node, "factor_of", [&] { return plan.word({"list", "above"}); });
  return node;
}

void put_prices(ScenarioPlan& plan) {
  Json& prices = plan.file["prices"] =
      Json::array({{{"usd_per_hour", 10}}, {{"usd_per_hour", 10}, {"use", "existing"}}});
  if (plan.chance(20)) prices.push_back(discount(plan));
  for (std::int64_t i = plan.number(-1, 3); i > 0; --i) prices.push_back(price(plan));
}

Json commitment(ScenarioPlan& plan, std::int64_t number) {
  const PlannedFamily& family = plan.one_of(plan.families);
  Json node{{"name", fmt::format("commitment-{}", number)},
            {"machine", plan.one_of(family.machines)->name},
            {"region", family.region},
            {"count", plan.number(1, 3)}};
  const bool is_plan = plan.chance(50);
  if (is_plan) node["plan"] = plan.word({"1y", "3y"});
  if (!is_plan) node["usd_per_hour"] = plan.number(0, 20);
  node["start"] = plan.day(plan.number(-40, 0));
  if (!is_plan || plan.chance(30)) node["end"] = plan.day(plan.number(1, 90));
  return node;
}

Json other_cost(ScenarioPlan& plan, std::int64_t number) {
  Json node{{"name", fmt::format("cost-{}", number)}};
  const std::string unit =
      plan.word({"usd_per_hour", "usd_per_month", "usd_once", "usd_per_job", "usd_per_gpu_hour"});
  node[unit] = plan.number(-50, 100);
  plan.maybe(40, node, "strategies", [&] { return Json::array({plan.one_of(plan.strategies)}); });
  if (unit == "usd_per_job" || unit == "usd_per_gpu_hour")
    plan.maybe(50, node, "classes", [&] { return Json::array({plan.one_of(plan.classes())}); });
  return node;
}

}  // namespace

void plan_bill(ScenarioPlan& plan) {
  put_prices(plan);
  if (plan.chance(30)) {
    Json& billing = plan.file["billing"] = Json::object();
    plan.maybe(70, billing, "step", [&] { return plan.minutes(1, 60); });
    plan.maybe(70, billing, "least", [&] { return plan.minutes(0, 60); });
    plan.maybe(70, billing, "management_fee", [&] { return plan.share(0, 100); });
  }
  for (std::int64_t i = plan.number(-2, 2); i > 0; --i)
    plan.file["commitments"].push_back(commitment(plan, i));
  for (std::int64_t i = plan.number(-2, 2); i > 0; --i)
    plan.file["other_costs"].push_back(other_cost(plan, i));
}

}  // namespace stockout::test
