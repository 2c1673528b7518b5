#include "models/calibration/world_places.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scenario/format/json_pointer.h"
#include "models/scenario/load/places_apart.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

std::vector<std::string> keys_of(std::string_view pointer) {
  std::vector<std::string> keys;
  for (const std::string_view token : pointer_tokens(pointer))
    keys.push_back(unescaped_token(token).value_or(std::string{token}));
  return keys;
}

const JsonValue* item_of(const JsonValue::List& list, const std::string& key) {
  const auto at = list_index(key);
  return at && *at < list.size() ? &list[*at] : nullptr;
}

const std::string* text_in(const JsonValue& item, std::string_view key) {
  const JsonValue* value = item.find(key);
  return value == nullptr ? nullptr : value->get<std::string>();
}

// "h100 us-central1-a"; empty: it has no name of any kind.
std::string name_of_item(const JsonValue& item) {
  if (const std::string* name = text_in(item, "name")) return *name;
  std::vector<std::string> words;
  for (const std::string_view kind : kKindKeys) {
    const std::string* text = text_in(item, kind);
    if (words.empty() && text != nullptr) words.push_back(*text);
  }
  if (const std::string* place = text_in(item, "place")) words.push_back(*place);
  return fmt::format("{}", fmt::join(words, " "));
}

// One of a list: "pools" -> "pool".
std::string one_of(const std::string& list) {
  if (list.ends_with("ies")) return list.substr(0, list.size() - 3) + "y";
  return list.ends_with('s') ? list.substr(0, list.size() - 1) : list;
}

/// Names met on the way of a pointer.
struct Way {
  std::vector<std::string> names;  // `pool "zone"`
  bool leads_there = true;         // a key that is missing at the end would be put there
};

Way way_of(const JsonValue& scenario, const std::string& pointer) {
  Way way;
  const std::vector<std::string> keys = keys_of(pointer);
  const JsonValue* at = &scenario;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto* list = at->get<JsonValue::List>();
    const bool may_be_new = list == nullptr && at->get<JsonValue::Members>() != nullptr;
    at = list != nullptr ? item_of(*list, keys[i]) : at->find(keys[i]);
    if (at == nullptr) {
      way.leads_there = may_be_new && i + 1 == keys.size();
      break;
    }
    const std::string name = list == nullptr ? "" : name_of_item(*at);
    if (!name.empty()) way.names.push_back(fmt::format("{} \"{}\"", i > 0 ? one_of(keys[i - 1]) : "", name));
  }
  return way;
}

std::string words_for(const std::string& named) { return named.empty() ? "nothing with a name" : named; }

void check_place(const WorldPlace& place, const JsonValue& scenario, const WorldsAndScenario& files,
                 const SourceRef& where) {
  if (!way_of(scenario, place.pointer).leads_there) {
    throw InputError{where, fmt::format("the worlds change {}, and {} has no such place: calibrate it again",
                                        place.pointer, files.scenario)};
  }
  const std::string now = named_at(scenario, place.pointer);
  if (now == place.in) return;
  throw InputError{where, fmt::format("the worlds were calibrated for {} at {}, but in {} there is {}: put "
                                      "that back where it was, or calibrate again",
                                      words_for(place.in), place.pointer, files.scenario, words_for(now))};
}

void check_listed(const WorldSet& set, const std::string& file) {
  std::set<std::string> listed;
  for (const KnownNow& known : set.unknown) {
    for (const WorldPlace& place : known.places) listed.insert(place.pointer);
  }
  for (std::size_t world = 0; world < set.worlds.size(); ++world) {
    for (const PlacedValue& change : set.worlds[world].changes) {
      if (listed.contains(change.pointer)) continue;
      throw InputError{
          {.file = file, .pointer = fmt::format("/worlds/{}/set", world)},
          fmt::format("changes {}, which is in no \"places\" of /unknown: calibrate again", change.pointer)};
    }
  }
}

}  // namespace

std::string named_at(const JsonValue& scenario, const std::string& pointer) {
  return fmt::format("{}", fmt::join(way_of(scenario, pointer).names, ", "));
}

void name_places(WorldSet& set, const std::vector<Unknown>& unknown, const JsonValue& scenario) {
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    std::set<std::string> known;
    for (const std::string& pointer : places_of(unknown[i]).pointers) {
      if (!known.insert(pointer).second) continue;
      set.unknown[i].places.push_back({.pointer = pointer, .in = named_at(scenario, pointer)});
    }
  }
}

void check_same_scenario(const WorldSet& set, const JsonValue& scenario, const WorldsAndScenario& files) {
  const std::string* name = text_in(scenario, "name");
  if (name == nullptr || set.scenario != *name) {
    throw InputError{{.file = files.worlds, .pointer = "/scenario"},
                     fmt::format("are worlds of \"{}\", but {} is \"{}\": calibrate this one", set.scenario,
                                 files.scenario, name == nullptr ? "" : *name)};
  }
  for (std::size_t i = 0; i < set.unknown.size(); ++i) {
    for (std::size_t k = 0; k < set.unknown[i].places.size(); ++k) {
      const SourceRef where{.file = files.worlds, .pointer = fmt::format("/unknown/{}/places/{}", i, k)};
      check_place(set.unknown[i].places[k], scenario, files, where);
    }
  }
  check_listed(set, files.worlds);
}

}  // namespace stockout
