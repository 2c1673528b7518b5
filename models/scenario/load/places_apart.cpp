#include "models/scenario/load/places_apart.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include <fmt/format.h>

namespace stockout {
namespace {

template <typename Choice>
NamedPlaces places_of_choices(const std::string& name, const std::vector<Choice>& choices) {
  NamedPlaces places{.name = name, .pointers = {}};
  for (const Choice& choice : choices) {
    for (const PlacedValue& change : choice.changes) places.pointers.push_back(change.pointer);
  }
  return places;
}

}  // namespace

bool is_naming_key(std::string_view key) {
  return key == "name" || key == "place" || std::ranges::find(kKindKeys, key) != kKindKeys.end();
}

NamedPlaces places_of(const Unknown& unknown) {
  if (unknown.range) return {.name = unknown.name, .pointers = unknown.range->pointers};
  return places_of_choices(unknown.name, unknown.choices);
}

NamedPlaces places_of(const DecisionVariable& decision) {
  return places_of_choices(decision.name, decision.choices);
}

std::optional<std::string> shared_place(const std::vector<NamedPlaces>& all) {
  std::map<std::string, std::size_t> places;  // pointer with a slash behind it -> whose
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::string& pointer : all[i].pointers) {
      const auto [found, is_new] = places.emplace(pointer + '/', i);
      if (found->second == i) continue;
      return fmt::format("\"{}\" and \"{}\" both change {}", all[found->second].name, all[i].name, pointer);
    }
  }
  for (const auto& [place, whose] : places) {
    for (std::size_t at = place.find('/', 1); at + 1 < place.size(); at = place.find('/', at + 1)) {
      const auto outer = places.find(place.substr(0, at + 1));
      if (outer == places.end() || outer->second == whose) continue;
      return fmt::format("\"{}\" changes {}, within {} that \"{}\" changes", all[whose].name,
                         place.substr(0, place.size() - 1), place.substr(0, at), all[outer->second].name);
    }
  }
  return std::nullopt;
}

void check_apart(const Node& list, const std::vector<NamedPlaces>& all) {
  if (const auto shared = shared_place(all)) list.fail(*shared);
}

}  // namespace stockout
