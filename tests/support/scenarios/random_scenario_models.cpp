#include "tests/support/scenarios/random_scenario_models.h"

namespace stockout::test {
namespace {

Json tries(ScenarioPlan& plan) {
  if (plan.chance(25)) return "unlimited";
  return plan.number(0, 4);
}

Json lifetime(ScenarioPlan& plan) {
  if (plan.chance(30)) return "forever";
  return random_length(plan, 4, 40);
}

Json health(ScenarioPlan& plan) {
  Json node{{"takes", plan.minutes(0, 20)}};
  if (!plan.calm) plan.maybe(60, node, "fails", [&] { return plan.share(0, 60); });
  plan.maybe(60, node, "replace", [&] { return plan.minutes(0, 20); });
  return node;
}

std::string start(ScenarioPlan& plan) { return plan.minutes(0, 30); }

Json start_law(ScenarioPlan& plan) { return plan.chance(60) ? Json(start(plan)) : random_length(plan, 0, 2); }

void put_attempts(ScenarioPlan& plan, Json& node, const ModelRow& row) {
  plan.maybe(25, node, "retries", [&] { return tries(plan); });
  if (node.contains("retries") || (row.is_at_once && plan.chance(30)))
    node["retry_interval"] = plan.minutes(20, 240);
  plan.maybe(25, node, "restarts", [&] { return tries(plan); });
}

void put_runs(ScenarioPlan& plan, Json& node) {
  if (!plan.chance(25)) return;
  node["run_max"] = plan.chance(10) ? "7d" : plan.halves(2, 16);
  plan.maybe(50, node, "chains", [&] { return plan.chance(80); });
}

void put_starts(ScenarioPlan& plan, Json& node) {
  plan.maybe(25, node, "lifetime", [&] { return lifetime(plan); });
  plan.maybe(25, node, "provisioning", [&] { return start_law(plan); });
  plan.maybe(40, node, "start_up", [&] { return start_law(plan); });
  plan.maybe(20, node, "health", [&] { return health(plan); });
}

std::string wait(ScenarioPlan& plan, const std::string& model) {
  if (model == "flex_start_vm") return plan.one_of<std::string>({"0s", "30min", "2h"});
  if (model == "flex_start_slurm") return plan.halves(0, 30);
  return plan.chance(20) ? "forever" : plan.halves(0, 40);
}

}  // namespace

const std::vector<ModelRow>& model_rows() {
  static const std::vector<ModelRow> kRows{
      {.name = "on_demand", .offer = Offer::on_demand, .is_at_once = true},
      {.name = "spot", .offer = Offer::spot, .is_at_once = true},
      {.name = "flex_start", .offer = Offer::flex_start},
      {.name = "flex_start_vm", .offer = Offer::flex_start},
      {.name = "flex_start_mig", .offer = Offer::flex_start},
      {.name = "flex_start_slurm", .offer = Offer::flex_start},
      {.name = "reservation", .offer = Offer::reservation, .is_held = true},
      {.name = "calendar", .offer = Offer::calendar, .is_held = true},
      {.name = "future_reservation", .offer = Offer::reservation, .is_held = true},
      {.name = "persistent_resource", .offer = Offer::on_demand, .is_held = true},
      {.name = "node_pool", .offer = Offer::on_demand, .is_held = true}};
  return kRows;
}

void put_policy(ScenarioPlan& plan, Json& node, const ModelRow& row) {
  plan.maybe(30, node, "notice", [&] { return plan.minutes(0, 60); });
  put_attempts(plan, node, row);
  put_runs(plan, node);
  put_starts(plan, node);
  if (!row.is_at_once) plan.maybe(40, node, "max_wait", [&] { return wait(plan, row.name); });
  if (row.name != "flex_start_vm" && !row.is_held)
    plan.maybe(15, node, "machines_max",
               [&] { return plan.number(row.name == "flex_start_mig" ? 1 : 0, 4); });
  if (!row.is_held)
    plan.maybe(8, node, "price", [&] {
      return plan.word({"on_demand", "spot", "flex_start", "calendar", "cud_1y", "cud_3y"});
    });
}

void plan_models(ScenarioPlan& plan) {
  Json models = Json::object();
  if (plan.chance(35)) {
    Json& all = models["all"] = Json::object();
    plan.maybe(40, all, "notice", [&] { return plan.minutes(0, 60); });
    put_attempts(plan, all, {.name = "all", .is_at_once = true});
    put_runs(plan, all);
    put_starts(plan, all);
  }
  for (const ModelRow& row : model_rows()) {
    if (!plan.chance(25)) continue;
    put_policy(plan, models[row.name] = Json::object(), row);
    // A bound over all legs of a row; a job asks in as many places as there are pools, at most.
    if (!row.is_at_once && !row.is_held && plan.chance(40))
      models[row.name]["open_max"] = static_cast<std::int64_t>(plan.pools.size()) + plan.number(0, 1);
  }
  if (!models.empty()) plan.file["models"] = std::move(models);
}

}  // namespace stockout::test
