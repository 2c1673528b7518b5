#include "tests/support/scenarios/changed_scenario.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "tests/support/scenarios/run_account.h"

namespace stockout::test {
namespace {

Json list_of(const Json& object, const char* key) {
  return object.contains(key) ? object[key] : Json::array();
}

std::optional<ChangedScenario> reverse(const Json& file, const char* key) {
  if (list_of(file, key).size() < 2) return std::nullopt;
  ChangedScenario changed{.before = file, .after = file};
  std::ranges::reverse(changed.after[key]);
  return changed;
}

std::optional<ChangedScenario> reverse_strategies(const Json& file, const Catalog&) {
  return reverse(file, "strategies");
}

std::optional<ChangedScenario> reverse_sources(const Json& file, const Catalog&) {
  return reverse(file, "workload");
}

std::string region_of(const Catalog& catalog, const Json& pool) {
  return catalog.find_place(pool["place"].get<std::string>())->region;
}

const std::string& family_of(const Catalog& catalog, const Json& pool) {
  if (pool.contains("family")) return pool["family"].get_ref<const std::string&>();
  const auto gpu = catalog.find_gpu(pool["gpu"].get<std::string>());
  for (const std::string& family : catalog.families()) {
    const auto machine = std::ranges::find(catalog.machines(), family, &MachineType::family);
    if (machine->gpu == *gpu &&
        Catalog::offers(*catalog.find_place(pool["place"].get<std::string>()), family))
      return family;
  }
  return catalog.families().front();
}

/// A machine of the pool's family that can be reserved.
const MachineType* reservable(const Catalog& catalog, const Json& pool) {
  const std::string& family = family_of(catalog, pool);
  const auto may_be_held = [&](const MachineType& machine) {
    return machine.family == family && machine.accepts[static_cast<std::size_t>(Offer::reservation)];
  };
  const auto found = std::ranges::find_if(catalog.machines(), may_be_held);
  return found == catalog.machines().end() ? nullptr : &*found;
}

/// A reservation, and before all others a strategy that uses it, which nobody runs.
std::optional<ChangedScenario> add_reservation(const Json& file, const Catalog& catalog, bool comes_first) {
  const Json& pool = file["pools"].back();
  const MachineType* machine = reservable(catalog, pool);
  if (machine == nullptr) return std::nullopt;
  ChangedScenario changed{.before = file, .after = file};
  Json held = list_of(file, "reservations");
  const bool has_room = pool.contains("hosts") || pool.contains("unlimited");
  const Json added{{"name", "unused"},
                   {"machine", machine->name},
                   {"place", pool["place"]},
                   {"count", 1},
                   {"added_supply", !has_room}};
  held.insert(comes_first ? held.begin() : held.end(), added);
  changed.after["reservations"] = held;
  Json strategy{{"name", "not run"}};
  strategy["legs"].push_back({{"model", "reservation"}, {"reservation", "unused"}});
  Json& strategies = changed.after["strategies"];
  strategies.insert(strategies.begin(), strategy);
  return changed;
}

std::optional<ChangedScenario> add_last_reservation(const Json& file, const Catalog& catalog) {
  return add_reservation(file, catalog, false);
}

std::optional<ChangedScenario> add_first_reservation(const Json& file, const Catalog& catalog) {
  return add_reservation(file, catalog, true);
}

bool is_zone_leg(const Json& leg) { return !leg.contains("reservation"); }

/// Places that a leg without `places` means; zones before their regions, which stand for what is left there.
Json with_every_place(Json file, const Catalog& catalog) {
  std::vector<std::string> places;
  for (const Json& pool : file["pools"]) {
    const std::string place = pool["place"];
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
  }
  const auto is_zone = [&](const std::string& name) { return catalog.find_place(name)->region != name; };
  std::stable_partition(places.begin(), places.end(), is_zone);
  for (Json& strategy : file["strategies"]) {
    for (Json& leg : strategy["legs"]) {
      if (is_zone_leg(leg) && !leg.contains("places")) leg["places"] = places;
    }
  }
  return file;
}

/// A place that has the family, in a region where there is no pool.
std::optional<std::string> place_elsewhere(const Json& file, const Catalog& catalog,
                                           const std::string& family) {
  std::set<std::string> regions;
  for (const Json& pool : file["pools"]) regions.insert(region_of(catalog, pool));
  for (const std::string& name : catalog.places_with(family)) {
    if (!regions.contains(catalog.find_place(name)->region)) return name;
  }
  return std::nullopt;
}

std::optional<ChangedScenario> add_pool(const Json& file, const Catalog& catalog, Json pool,
                                        bool comes_first) {
  const std::string family = family_of(catalog, file["pools"].front());
  const auto place = place_elsewhere(file, catalog, family);
  if (!place) return std::nullopt;
  pool["name"] = "unused";
  pool["family"] = family;
  pool["place"] = *place;
  ChangedScenario changed{.before = with_every_place(file, catalog), .after = {}};
  changed.after = changed.before;
  Json& pools = changed.after["pools"];
  pools.insert(comes_first ? pools.begin() : pools.end(), std::move(pool));
  return changed;
}

std::optional<ChangedScenario> add_first_pool(const Json& file, const Catalog& catalog) {
  const Json faults = Json::array({{{"name", "breaks"}, {"life", "5h"}, {"repair", "3h"}}});
  return add_pool(file, catalog, {{"hosts", 2}, {"faults", faults}}, true);
}

std::optional<ChangedScenario> add_last_pool(const Json& file, const Catalog& catalog) {
  const bool is_found = file.contains("warm_up") && file["warm_up"].is_object();  // of its tenants, too
  const auto has_tenants = [](const Json& pool) { return pool.contains("tenants"); };
  if (is_found || std::ranges::none_of(file["pools"], has_tenants)) return std::nullopt;
  return add_pool(file, catalog, {{"hosts", 2}, {"tenants", {{"load", 0.7}, {"work", "5h"}}}}, false);
}

/// Each leg asks pools one after the other: those that wait have one place, and keep no request.
Json without_races(Json file) {
  for (Json& strategy : file["strategies"]) {
    for (Json& leg : strategy["legs"]) {
      if (!is_zone_leg(leg) || leg["model"] == "spot" || leg["model"] == "on_demand") continue;
      leg["places"] = Json::array({leg["places"].front()});
      leg.erase("keep");
    }
  }
  return file;
}

/// Whether a place that a leg may name is several pools.
bool has_joined_pools(const Json& file, const Catalog& catalog) {
  std::set<std::string> places;
  bool any_region = false;
  for (const Json& pool : file["pools"]) {
    if (!places.insert(pool["place"].get<std::string>()).second) return true;
    any_region = any_region || pool["place"] == region_of(catalog, pool);
  }
  for (const Json& strategy : file["strategies"]) {
    for (const Json& leg : strategy["legs"]) {
      for (const Json& place : list_of(leg, "places")) {
        if (!places.contains(place.get<std::string>())) return true;
      }
    }
  }
  return any_region && places.size() > 1;
}

/// Back to front, but for the pools with tenants: they keep their order among themselves.
std::optional<ChangedScenario> reverse_pools(const Json& file, const Catalog& catalog) {
  ChangedScenario changed{.before = without_races(with_every_place(file, catalog)), .after = {}};
  if (file["pools"].size() < 2 || has_joined_pools(changed.before, catalog)) return std::nullopt;
  changed.after = changed.before;
  Json& pools = changed.after["pools"];
  std::ranges::reverse(pools);
  const auto has_tenants = [](const Json& pool) { return pool.contains("tenants"); };
  std::vector<Json> in_order;
  std::ranges::copy_if(changed.before["pools"], std::back_inserter(in_order), has_tenants);
  auto next = in_order.begin();
  for (Json& pool : pools) {
    if (has_tenants(pool)) pool = *next++;
  }
  if (pools == changed.before["pools"]) return std::nullopt;
  return changed;
}

using Names = std::map<std::string, std::string>;

void add_name(Names& names, const std::string& name) { names.emplace(name, renamed(name, names.size())); }

/// Everything that the file itself names. Classes that only a trace names are not among them.
Names names_in(const Json& file) {
  Names names;
  for (const char* key : {"workload", "reservations", "strategies"}) {
    for (const Json& item : list_of(file, key)) add_name(names, item["name"].get<std::string>());
  }
  for (const Json& pool : file["pools"]) {
    const bool is_drawn = pool.dump().find("markov") != std::string::npos || pool.contains("mass_reclaim");
    if (pool.contains("name") && !is_drawn) add_name(names, pool["name"].get<std::string>());
  }
  for (const Json& source : file["workload"]) {
    if (source.contains("class")) add_name(names, source["class"].get<std::string>());
    if (!source.contains("trace")) continue;
    for (const Json& part : list_of(source["trace"], "class_by_length"))
      add_name(names, part["name"].get<std::string>());
  }
  return names;
}

Json renamed_all(const Json& value, const Names& names) {
  const auto new_name = [&](const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? name : found->second;
  };
  if (value.is_string()) return new_name(value.get<std::string>());
  if (!value.is_structured()) return value;
  Json changed = value.is_array() ? Json::array() : Json::object();
  for (const auto& item : value.items()) {
    if (value.is_array()) changed.push_back(renamed_all(item.value(), names));
    if (value.is_object()) changed[new_name(item.key())] = renamed_all(item.value(), names);
  }
  return changed;
}

std::optional<ChangedScenario> rename_everything(const Json& file, const Catalog&) {
  return ChangedScenario{.before = file, .after = renamed_all(file, names_in(file))};
}

}  // namespace

const std::vector<ScenarioChange>& scenario_changes() {
  static const std::vector<ScenarioChange> kChanges{
      {"strategies in another order", false, false, reverse_strategies},
      {"a reservation after all others that nobody uses", false, false, add_last_reservation},
      {"a reservation before all others that nobody uses", false, true, add_first_reservation},
      {"a pool before all others that nobody asks", false, false, add_first_pool},
      {"a pool after all others, with tenants, that nobody asks", false, false, add_last_pool},
      {"pools in another order", false, false, reverse_pools},
      {"other names", false, false, rename_everything},
      {"sources in another order", true, true, reverse_sources}};
  return kChanges;
}

}  // namespace stockout::test
