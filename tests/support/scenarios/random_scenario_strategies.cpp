#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "models/catalog/orchestrators.h"
#include "tests/support/scenarios/random_scenario_models.h"

namespace stockout::test {
namespace {

const ModelRow& row_of(const std::string& model) {
  return *std::ranges::find(model_rows(), model, &ModelRow::name);
}

/// Classes whose jobs insist on a machine that is not sold like that, or not the one the leg names.
std::set<std::string> unfit_classes(const ScenarioPlan& plan, const ModelRow& row,
                                    const std::string& machine) {
  std::set<std::string> unfit;
  if (row.is_held) return unfit;
  for (const PlannedSource& source : plan.sources) {
    if (source.machine == nullptr) continue;
    const bool is_sold = source.machine->accepts[static_cast<std::size_t>(row.offer)];
    const bool is_named = machine.empty() || source.machine->name == machine;
    if (!is_sold || !is_named) unfit.insert(source.classes.begin(), source.classes.end());
  }
  return unfit;
}

/// The classes that a leg is for; nothing: all; an empty list: none fits.
std::optional<std::vector<std::string>> leg_classes(ScenarioPlan& plan, const ModelRow& row,
                                                    const std::string& machine) {
  const std::set<std::string> unfit = unfit_classes(plan, row, machine);
  const bool only_some = plan.chance(20);
  if (unfit.empty() && !only_some) return std::nullopt;
  std::vector<std::string> fit;
  for (const std::string& name : plan.classes()) {
    if (!unfit.contains(name) && std::ranges::find(fit, name) == fit.end()) fit.push_back(name);
  }
  if (only_some && fit.size() > 1)
    fit.erase(fit.begin() + plan.number(0, static_cast<std::int64_t>(fit.size()) - 1));
  return fit;
}

/// Places of pools, each once: zones, and now and then the region instead.
Json places(ScenarioPlan& plan, std::vector<const PlannedPool*>& pools) {
  Json list = Json::array();
  std::vector<std::string> covered;
  for (const PlannedPool* pool : pools) {
    const std::string& region = plan.family_of(*pool).region;
    const bool is_region = plan.chance(20) && std::ranges::find(covered, region) == covered.end();
    const std::string& place = is_region ? region : pool->place;
    if (std::ranges::find(covered, pool->place) != covered.end()) continue;
    list.push_back(place);
    for (const PlannedPool& other : plan.pools) {
      if (other.place == place || (place == region && plan.family_of(other).region == region))
        covered.push_back(other.place);
    }
    if (place == region) covered.push_back(region);
  }
  return list;
}

/// The pools a leg may ask, and its `places` if these are not all.
std::vector<const PlannedPool*> put_places(ScenarioPlan& plan, Json& leg) {
  std::vector<const PlannedPool*> pools;
  const bool is_all = plan.chance(45);
  for (const PlannedPool& pool : plan.pools) {
    if (is_all || plan.chance(60)) pools.push_back(&pool);
  }
  if (pools.empty()) pools.push_back(&plan.pools.front());
  if (is_all) return pools;
  if (plan.chance(40)) std::ranges::reverse(pools);
  leg["places"] = places(plan, pools);
  return pools;
}

/// Where a gang may stand in several zones: in one region, and where its nodes exchange nothing.
bool may_spread(const ScenarioPlan& plan, const std::vector<const PlannedPool*>& pools) {
  const std::string& region = plan.family_of(*pools.front()).region;
  const auto is_here = [&](const PlannedPool* pool) { return plan.family_of(*pool).region == region; };
  return std::ranges::all_of(pools, is_here) &&
         plan.file["workload"].dump().find("\"scaling\"") == std::string::npos;
}

void put_zone_terms(ScenarioPlan& plan, Json& leg, const ModelRow& row, bool may_be_partial) {
  const auto pools = put_places(plan, leg);
  const auto has_hosts = [](const PlannedPool* pool) { return pool->has_hosts; };
  // A region may stand for more pools than were meant, so hosts count wherever they are.
  const bool any_hosts = std::ranges::any_of(plan.pools, &PlannedPool::has_hosts);
  if (std::ranges::any_of(pools, has_hosts))
    plan.maybe(50, leg, "compact", [&] { return plan.word({"no", "block", "neighbours"}); });
  if (may_be_partial && row.is_at_once && !any_hosts && plan.chance(60)) {
    Json& partial = leg["partial"] = Json::object();
    if (plan.chance(50)) partial["least"] = plan.number(1, 3);
    if (partial.empty()) partial["least_share"] = plan.share(20, 100);
    plan.maybe(60, partial, "gather", [&] { return plan.minutes(0, 240); });
    if (plan.chance(30)) {
      partial["gather"] = plan.minutes(5, 240);
      partial["recreate"] = true;
      if (plan.number(0, 1) == 1) partial["meanwhile"] = plan.number(0, 1) == 1 ? "work" : "wait";
    }
    if (partial.contains("gather")) plan.maybe(80, partial, "every", [&] { return plan.minutes(10, 60); });
    return;
  }
  const bool gathers = leg.contains("partial") && leg["partial"].contains("gather");
  if (may_be_partial && row.is_at_once && !any_hosts && !gathers && may_spread(plan, pools))
    plan.maybe(50, leg, "spread", [&] { return plan.word({"any_single_zone", "balanced", "any", "any"}); });
}

void put_held_terms(ScenarioPlan& plan, Json& leg, const std::string& model) {
  std::vector<std::string> names;
  for (const PlannedReservation& held : plan.reservations) {
    if (held.model == model) names.push_back(held.name);
  }
  if (names.size() > 1 && plan.chance(60)) {
    leg["reservation"] = names;
  } else {
    leg["reservation"] = plan.one_of(names);
  }
}

/// A model that somebody can ask: a reservation's only if there is one.
const ModelRow& random_row(ScenarioPlan& plan) {
  if (!plan.reservations.empty() && plan.chance(40)) return row_of(plan.one_of(plan.reservations).model);
  return row_of(plan.word({"on_demand", "on_demand", "spot", "spot", "spot", "flex_start", "flex_start",
                           "flex_start_vm", "flex_start_mig", "flex_start_slurm"}));
}

std::string leg_machine(ScenarioPlan& plan, const ModelRow& row) {
  if (row.is_held || !plan.chance(12)) return "";
  const MachineType* machine = plan.machine_of(plan.one_of(plan.families), row.offer);
  return machine == nullptr ? "" : machine->name;
}

std::optional<Json> make_leg(ScenarioPlan& plan, const ModelRow& row, bool is_by_deadline) {
  Json leg{{"model", row.name}};
  const std::string machine = leg_machine(plan, row);
  const auto classes = leg_classes(plan, row, machine);
  if (classes && classes->empty()) return std::nullopt;
  if (row.is_held) put_held_terms(plan, leg, row.name);
  if (!row.is_held) put_zone_terms(plan, leg, row, !is_by_deadline);
  if (!machine.empty()) leg["machine"] = machine;
  plan.maybe(12, leg, "gpus", [&] { return Json::array({plan.one_of(plan.families).gpu}); });
  if (classes) leg["classes"] = *classes;
  if (!row.is_at_once) {
    plan.maybe(40, leg, "limit", [&] { return plan.halves(0, 20); });
    plan.maybe(35, leg, "keep", [&] { return plan.chance(80); });
    plan.maybe(35, leg, "race", [&] { return plan.word({"first_grant", "first_boot", "first_boot"}); });
  }
  if (plan.chance(40)) put_policy(plan, leg, row);
  if (is_by_deadline) {
    for (const char* key : {"retries", "retry_interval", "restarts", "fault_restarts", "exit_restarts"})
      leg.erase(key);
  }
  return leg;
}

Json spot_leg() { return {{"model", "spot"}}; }

/// One bound holds for all legs of a row: it is said here only if no other leg has the row.
void put_open_max(ScenarioPlan& plan, Json& strategy) {
  std::map<std::string, int> legs;
  for (const Json& leg : strategy["legs"]) ++legs[leg["model"]];
  for (Json& leg : strategy["legs"]) {
    const ModelRow& row = row_of(leg["model"]);
    if (row.is_at_once || row.is_held || legs[row.name] > 1 || !plan.chance(15)) continue;
    leg["open_max"] = static_cast<std::int64_t>(plan.pools.size()) + plan.number(0, 1);
  }
}

Json resubmit(ScenarioPlan& plan) {
  Json node{{"after", plan.halves(1, 8)}};
  if (!plan.calm)
    plan.maybe(50, node, "office_hours", [&] { return plan.word({"09:00-17:00", "08:00-12:00"}); });
  plan.maybe(85, node, "give_up_after", [&] { return plan.halves(4, 90); });
  return node;
}

/// An orchestrator under which all models may go, if there is one: of the strategy, or of each leg.
void put_orchestrator(ScenarioPlan& plan, Json& strategy) {
  const auto number =
      static_cast<std::size_t>(plan.number(0, static_cast<std::int64_t>(kOrchestratorNames.size()) - 1));
  const auto orchestrator = static_cast<OrchestratorName>(number);
  const Date day{plan.start};
  for (const Json& leg : strategy["legs"]) {
    const std::string model = leg["model"];
    if (!why_not(plan.catalog, orchestrator, model, day).empty()) return;
    for (const Json& other : strategy["legs"]) {
      const std::string with = other["model"];
      if (!why_not_together(plan.catalog, orchestrator, model, with, false, day).empty()) return;
    }
  }
  const auto spreads = [](const Json& leg) { return leg.contains("spread"); };
  const bool takes_spread =
      orchestrator == OrchestratorName::compute_engine || orchestrator == OrchestratorName::slurm;
  if (!takes_spread && std::ranges::any_of(strategy["legs"], spreads)) return;
  strategy["orchestrator"] = kOrchestratorNames[number];
  if (!plan.chance(30)) return;
  for (Json& leg : strategy["legs"]) leg["orchestrator"] = strategy["orchestrator"];
  strategy.erase("orchestrator");
}

/// Where GKE's autoscaler asks: with a longest back-off above every `retry_interval`.
void put_node_groups(ScenarioPlan& plan, Json& strategy) {
  const auto is_autoscaled = [&](const Json& leg) {
    return (leg.value("orchestrator", "") == "gke" || strategy.value("orchestrator", "") == "gke") &&
           row_of(leg["model"]).is_at_once;
  };
  if (std::ranges::none_of(strategy["legs"], is_autoscaled)) return;
  plan.maybe(60, strategy, "node_groups", [&] {
    Json node{{"back_off_most", plan.halves(8, 30)}};
    plan.maybe(60, node, "forget_after", [&] { return plan.halves(0, 20); });
    return node;
  });
}

/// Where GKE provisions what is queued, and the first grant counts.
void put_provisioning_request(ScenarioPlan& plan, Json& strategy) {
  const auto is_queued = [&](const Json& leg) {
    return (leg.value("orchestrator", "") == "gke" || strategy.value("orchestrator", "") == "gke") &&
           leg["model"] == "flex_start_mig";
  };
  const auto races = [&](const Json& leg) { return is_queued(leg) && leg.value("race", "") == "first_boot"; };
  const Json& legs = strategy["legs"];
  if (std::ranges::none_of(legs, is_queued) || std::ranges::any_of(legs, races)) return;
  plan.maybe(70, strategy, "provisioning_request", [&] {
    Json node{{"pods_after", random_length(plan, 0, 3)}};
    plan.maybe(60, node, "hold", [&] { return plan.minutes(5, 60); });
    plan.maybe(60, node, "again", [&] { return plan.minutes(0, 60); });
    return node;
  });
}

Json by_deadline(ScenarioPlan& plan) {
  Json strategy = Json::object();
  for (const char* model : {"spot", "on_demand"}) {
    strategy["legs"].push_back(make_leg(plan, row_of(model), true).value_or(spot_leg()));
  }
  Json& rule = strategy["deadline_rule"] = Json::object();
  plan.maybe(70, rule, "tick", [&] { return plan.minutes(10, 60); });
  plan.maybe(60, rule, "overhead", [&] { return plan.minutes(0, 60); });
  return strategy;
}

Json walk(ScenarioPlan& plan) {
  Json strategy = Json::object();
  for (std::int64_t i = plan.number(1, 4); i > 0; --i) {
    strategy["legs"].push_back(make_leg(plan, random_row(plan), false).value_or(spot_leg()));
  }
  put_open_max(plan, strategy);
  plan.maybe(35, strategy, "order", [&] {
    return plan.word({"listed", "cheapest_first", "cheapest_first"});
  });
  plan.maybe(30, strategy, "resubmit", [&] { return resubmit(plan); });
  return strategy;
}

}  // namespace

void plan_strategies(ScenarioPlan& plan) {
  for (std::int64_t i = 1, last = plan.number(1, 3); i <= last; ++i) {
    const std::string name = fmt::format("way-{}", i);
    Json strategy{{"name", name}};
    strategy.update(plan.chance(15) ? by_deadline(plan) : walk(plan));
    if (plan.chance(30)) put_orchestrator(plan, strategy);
    put_node_groups(plan, strategy);
    put_provisioning_request(plan, strategy);
    plan.strategies.push_back(name);
    plan.file["strategies"].push_back(std::move(strategy));
  }
}

}  // namespace stockout::test
