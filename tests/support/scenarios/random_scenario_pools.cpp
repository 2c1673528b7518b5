#include <algorithm>

#include <fmt/format.h>

#include "tests/support/scenarios/random_scenario_plan.h"

namespace stockout::test {
namespace {

PlannedFamily plan_family(ScenarioPlan& plan, const std::string& name, const std::string& region) {
  PlannedFamily family{.name = name, .gpu = {}, .region = region, .machines = {}, .zones = {}};
  for (const MachineType& machine : plan.catalog.machines()) {
    if (machine.family == name) family.machines.push_back(&machine);
  }
  family.gpu = plan.catalog.gpu_name(family.machines.front()->gpu);
  family.host_gpus = family.machines.front()->host_gpus.count();
  for (const Place* zone : plan.catalog.zones_of(region)) {
    if (Catalog::offers(*zone, name)) family.zones.push_back(zone->name);
  }
  if (family.zones.empty()) family.zones.push_back(region);
  return family;
}

void plan_families(ScenarioPlan& plan) {
  const std::vector<std::string> names{"generic",    "generic",     "a3-highgpu",  "a3-highgpu",
                                       "a3-megagpu", "a2-highgpu",  "a2-ultragpu", "g2-standard",
                                       "n1-t4",      "a3-ultragpu", "a2-megagpu"};
  const std::string region = plan.word({"us-central1", "europe-west4"});
  for (std::int64_t i = plan.number(1, 3); i > 0; --i) {
    const std::string& name = plan.one_of(names);
    const auto same = [&](const PlannedFamily& family) { return family.name == name; };
    if (std::ranges::any_of(plan.families, same)) continue;
    const std::string elsewhere = plan.chance(20) ? "asia-southeast1" : region;
    const bool is_there = Catalog::offers(*plan.catalog.find_place(elsewhere), name);
    plan.families.push_back(plan_family(plan, name, name == kGeneric ? name : is_there ? elsewhere : region));
  }
}

Json steps(ScenarioPlan& plan, std::int64_t gpus) {
  Json list = Json::array();
  std::int64_t at = 0;
  for (std::int64_t i = plan.number(1, 4); i > 0; --i) {
    list.push_back(
        {{"at", fmt::format("{}min", 30 * at)}, {"gpus", gpus * plan.number(list.empty() ? 2 : 0, 4) / 3}});
    at += plan.number(1, 24);
  }
  return list;
}

/// hosts, machines or gpus; and how many GPUs that is.
std::int64_t put_number(ScenarioPlan& plan, Json& node, const PlannedFamily& family, const Json& pool) {
  const std::int64_t hosts = plan.number(1, family.host_gpus == 1 ? 12 : 4);
  const std::int64_t gpus = hosts * family.host_gpus;
  if (plan.chance(40)) {
    node["hosts"] = hosts;
  } else if (pool.contains("machine") && plan.chance(60)) {
    const auto* machine = *std::ranges::find(family.machines, pool["machine"].get<std::string>(),
                                             [](const MachineType* type) { return type->name; });
    node["machines"] = std::max<std::int64_t>(1, gpus / machine->gpus.count());
  } else {
    node["gpus"] = gpus;
  }
  return gpus;
}

Json growth(ScenarioPlan& plan, const PlannedFamily& family, const Json& pool) {
  Json node{{"every", plan.halves(12, 60)}};
  switch (plan.number(0, 3)) {
    case 0:
      node["hosts"] = plan.one_of<int>({-1, 1});
      break;
    case 1:
      node[pool.contains("machine") ? "machines" : "gpus"] = plan.one_of<int>({-1, 1, 2});
      break;
    case 2:
      node["gpus"] = family.host_gpus * plan.one_of<int>({-1, 1});
      break;
    default:
      node["percent"] = plan.one_of<int>({-30, 25, 60});
  }
  return node;
}

std::int64_t put_fixed(ScenarioPlan& plan, Json& node, const PlannedFamily& family, const Json& pool) {
  const std::int64_t gpus = put_number(plan, node, family, pool);
  if (plan.chance(20)) {
    node["growth"] = growth(plan, family, pool);
  } else if (node.contains("gpus") && plan.chance(35)) {
    node["gpus"] = steps(plan, gpus);
  }
  return gpus;
}

void put_scale(ScenarioPlan& plan, Json& node, const PlannedFamily& family) {
  const bool whole = plan.chance(60);
  node["shape"] = whole ? family.machines.back()->name : family.machines.front()->name;
  if (plan.chance(35)) node["means"] = plan.word({"machines", "any", "fraction"});
  if (node.value("means", "") == "fraction") node["fleet_gpus"] = 3 * family.host_gpus;
  if (plan.chance(40)) node["at_cap"] = plan.chance(50) ? Json(plan.word({"cap", "unlimited"})) : Json(5);
}

Json availability(ScenarioPlan& plan, const PlannedFamily& family) {
  Json node = Json::object();
  const std::string file = plan.word({"probes.csv", "seen.csv", "seen.json"});
  node["file"] = file;
  put_scale(plan, node, family);
  // A day's series has no hole only if nothing is asked before and after it.
  const bool may_be_whole = plan.days == 1 && !plan.file.contains("warm_up");
  node["holes"] = may_be_whole && plan.chance(20) ? "error" : plan.word({"hold", "unavailable"});
  if (file == "probes.csv") {
    node["zone"] = plan.word({"a", "b"});
    node["time_zone"] = plan.word({"UTC", "-07:00"});
    node["shift"] = "to_start";
  }
  if (file == "seen.csv") {
    const bool is_its_day = plan.file["start"] == "2026-08-03";
    node["shift"] = is_its_day && plan.chance(50) ? "none" : "to_start";
    if (node.value("means", "machines") != "any") node["cap"] = 3;
  }
  if (file == "seen.json") {
    node["inverted"] = plan.chance(50);
    node["means"] = "any";
    node.erase("fleet_gpus");
  }
  return node;
}

Json profile(ScenarioPlan& plan) {
  Json node{{"source", "made up"}, {"cap", 3}, {"tick", plan.word({"1h", "2h"})}};
  node["machines"] = {0, 1, 3};
  if (plan.chance(30)) {
    node["transitions"] = {{0.75, 0.25}, {0.5, 0.5}};
    node["shows"] = {{0.75, 0.25, 0}, {0.125, 0.25, 0.625}};
    plan.maybe(60, node, "now", [] { return Json{0.125, 0.875}; });
    return node;
  }
  node["transitions"] = {{0.5, 0.5, 0}, {0.25, 0.5, 0.25}, {0.125, 0.125, 0.75}};
  if (plan.chance(30)) {
    node["upward"] = Json::array();
    for (int hour = 0; hour < 24; ++hour) node["upward"].push_back(hour < 12 ? 1 : -0.5);
  }
  return node;
}

Json markov(ScenarioPlan& plan, const PlannedFamily& family) {
  Json node = Json::object();
  node["profile"] = plan.chance(30) ? Json("zone.profile.json") : profile(plan);
  put_scale(plan, node, family);
  if (plan.chance(50)) node["start"] = node["profile"].contains("now") ? "now" : "long_run";
  if (plan.chance(40)) {
    const bool is_hourly = !node["profile"].is_object() || node["profile"]["tick"] == "1h";
    node["group"] = plan.word({"coast", "inland"}) + (is_hourly ? " by the hour" : "");  // one tick a group
    node["rho"] = plan.share(0, 100);
  }
  return node;
}

/// One source for the strong classes and perhaps one for spot, or one for all.
Json by_class(ScenarioPlan& plan, const PlannedFamily& family, const Json& pool, bool& is_moving) {
  std::vector<std::string> classes{"reserved", "on_demand", "flex", "spot"};
  Json list = Json::array();
  while (!classes.empty() && (list.empty() || plan.chance(70))) {
    Json part{{"classes", Json::array()}};
    const std::int64_t most = static_cast<std::int64_t>(classes.size());
    for (std::int64_t i = plan.number(1, most); i > 0; --i) {
      part["classes"].push_back(classes.back());
      classes.pop_back();
    }
    const std::int64_t kind = plan.number(0, 3);
    is_moving = is_moving || kind < 2;
    if (kind == 0) part["availability"] = availability(plan, family);
    if (kind == 1) part["markov"] = markov(plan, family);
    if (kind > 1) put_fixed(plan, part, family, pool);
    list.push_back(std::move(part));
  }
  return list;
}

Json faults(ScenarioPlan& plan) {
  Json list = Json::array();
  for (std::int64_t i = plan.number(1, 2); i > 0; --i) {
    Json rule{{"name", i == 1 ? "hardware" : "maintenance"}};
    rule["life"] = random_length(plan, 4, 40);
    plan.maybe(50, rule, "notice", [&] { return plan.minutes(0, 60); });
    rule["repair"] = random_length(plan, 0, 12);
    list.push_back(std::move(rule));
  }
  return list;
}

Json mix(ScenarioPlan& plan) {
  Json node = Json::object();
  for (const char* model : {"on_demand", "flex_start", "spot"}) {
    if (plan.chance(65)) node[model] = plan.number(0, 4);
  }
  const auto is_some = [](const Json& weight) { return weight > 0; };
  if (std::ranges::none_of(node, is_some)) node["spot"] = 3;
  return node;
}

Json tenant_sizes(ScenarioPlan& plan, const PlannedFamily& family) {
  Json list = Json::array();
  for (std::int64_t i = plan.number(1, 3); i > 0; --i) {
    Json size = Json::object();
    const std::int64_t count = plan.one_of<std::int64_t>({1, 1, 2});
    size[plan.chance(50) ? "hosts" : "machines"] = count * (family.host_gpus == 1 ? plan.number(1, 3) : 1);
    plan.maybe(60, size, "weight", [&] { return plan.number(1, 5); });
    list.push_back(std::move(size));
  }
  return list;
}

Json tenants(ScenarioPlan& plan, const PlannedFamily& family) {
  Json node = Json::object();
  if (plan.chance(85)) node["load"] = plan.one_of<double>({0.3, 0.6, 0.9, 1.2});
  if (plan.chance(60)) node["mix"] = mix(plan);
  node["sizes"] = tenant_sizes(plan, family);
  if (plan.chance(90)) node["work"] = random_length(plan, 6, 24, true);
  plan.maybe(30, node, "daily_swing", [&] { return plan.share(0, 100); });
  plan.maybe(30, node, "peak_hour", [&] { return plan.number(0, 23); });
  plan.maybe(40, node, "max_wait", [&] { return plan.chance(30) ? "forever" : plan.halves(0, 30); });
  return node;
}

void put_capacity(ScenarioPlan& plan, PlannedPool& planned, Json& pool, bool& may_have_tenants) {
  const PlannedFamily& family = plan.families[planned.family];
  const std::int64_t kind = plan.number(1, 100);
  if (kind <= 8) {
    pool["unlimited"] = true;
    may_have_tenants = false;
  } else if (kind <= 35) {
    bool is_moving = false;
    pool["capacity"] = by_class(plan, family, pool, is_moving);
    may_have_tenants = !is_moving;
    planned.gpus = family.host_gpus;
  } else if (kind <= 60) {
    pool["hosts"] = plan.number(1, family.host_gpus == 1 ? 12 : 4);
    planned.gpus = pool["hosts"].get<std::int64_t>() * family.host_gpus;
    planned.has_hosts = true;
    pool["placement"] = Json::object();
    plan.maybe(60, pool["placement"], "fill", [&] {
      return plan.word({"best_fit", "first_fit", "worst_fit"});
    });
    plan.maybe(60, pool["placement"], "block_hosts", [&] { return plan.number(1, 3); });
  } else {
    planned.gpus = put_fixed(plan, pool, family, pool);
  }
}

bool has_one_family(const ScenarioPlan& plan, const std::string& gpu, const std::string& place) {
  const Place& where = *plan.catalog.find_place(place);
  const auto families = plan.catalog.families_of_gpu(*plan.catalog.find_gpu(gpu));
  return std::ranges::count_if(families,
                               [&](const auto& family) { return Catalog::offers(where, family); }) == 1;
}

/// Who goes first, and who goes.
void put_order(ScenarioPlan& plan, Json& pool) {
  put_discipline(plan, pool);
  plan.maybe(25, pool, "flex_before_on_demand", [&] { return plan.chance(70); });
  plan.maybe(25, pool, "hold_for_head", [&] { return plan.chance(70); });
  plan.maybe(50, pool, "reclaim", [&] {
    return plan.calm ? plan.word({"newest", "oldest", "smallest_loss"})
                     : plan.word({"newest", "oldest", "random", "smallest_loss"});
  });
}

void add_pool(ScenarioPlan& plan, std::size_t number) {
  const auto last = static_cast<std::int64_t>(plan.families.size()) - 1;
  PlannedPool planned;
  planned.family = number < plan.families.size() ? number : static_cast<std::size_t>(plan.number(0, last));
  const PlannedFamily& family = plan.families[planned.family];
  planned.place = plan.chance(80) ? plan.one_of(family.zones) : family.region;
  Json pool{{"name", fmt::format("pool-{}", number + 1)}};
  const bool by_gpu = has_one_family(plan, family.gpu, planned.place) && plan.chance(50);
  pool[by_gpu ? "gpu" : "family"] = by_gpu ? family.gpu : family.name;
  pool["place"] = planned.place;
  if (plan.chance(50)) pool["machine"] = plan.one_of(family.machines)->name;
  bool may_have_tenants = true;
  put_capacity(plan, planned, pool, may_have_tenants);
  if (!pool.contains("unlimited")) put_order(plan, pool);
  if (!planned.has_hosts && plan.chance(40)) pool["faults"] = faults(plan);
  if (!plan.calm && plan.chance(15)) {
    pool["mass_reclaim"] = {{"every", random_length(plan, 4, 40)}, {"share", plan.share(20, 100)}};
    plan.maybe(50, pool["mass_reclaim"], "spread", [&] { return random_length(plan, 0, 2); });
  }
  if (may_have_tenants && plan.chance(65)) pool["tenants"] = tenants(plan, family);
  plan.pools.push_back(planned);
  plan.file["pools"].push_back(std::move(pool));
}

/// Settings that the tenants of all pools share: the load that some pools leave out.
void share_tenants(ScenarioPlan& plan) {
  bool any = false;
  bool any_without_load = false;
  for (const Json& pool : plan.file["pools"]) {
    any = any || pool.contains("tenants");
    any_without_load = any_without_load || (pool.contains("tenants") && !pool["tenants"].contains("load"));
  }
  if (!any_without_load && !(any && plan.chance(20))) return;
  Json& shared = plan.file["tenants"] = Json{{"load", 0.5}};
  if (plan.chance(40)) shared["mix"] = mix(plan);
  shared["work"] = random_length(plan, 6, 24, true);
}

}  // namespace

void put_discipline(ScenarioPlan& plan, Json& node) {
  plan.maybe(50, node, "discipline", [&] {
    return plan.word({"fifo", "first_fit", "shortest", "shortest_first_fit", "smallest", "shortest_ageing"});
  });
  if (node.value("discipline", "") == "shortest_ageing") node["ageing"] = plan.share(0, 300);
}

void plan_pools(ScenarioPlan& plan) {
  plan_families(plan);
  plan.file["pools"] = Json::array();
  const std::size_t count = plan.families.size() + static_cast<std::size_t>(plan.number(0, 2));
  for (std::size_t i = 0; i < count; ++i) add_pool(plan, i);
  share_tenants(plan);
}

}  // namespace stockout::test
