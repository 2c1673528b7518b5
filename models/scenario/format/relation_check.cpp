#include "models/scenario/format/relation_check.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "models/scenario/format/json_pointer.h"

namespace stockout {
namespace {

std::string word_of(const Node& value) {
  if (value.kind() == ValueKind::flag) return value.as_flag() ? "true" : "false";
  return value.as_text();
}

bool has_value(const Node& value, const KeyHas& has) {
  if (has.kind) return value.kind() == *has.kind;
  return has.words.empty() || std::ranges::find(has.words, word_of(value)) != has.words.end();
}

}  // namespace

struct RelationCheck::Place {
  Node object;
  std::string key;

  [[nodiscard]] bool is_there() const { return object.has(key); }
  [[nodiscard]] const KeySpec& spec() const { return *object.spec_->object->find(key); }
  [[nodiscard]] std::string pointer() const { return object.pointer_of(key); }
};

// Of every item, where the path leads through a list.
std::vector<RelationCheck::Place> RelationCheck::places(const Node& object, std::string_view path) {
  const std::size_t slash = path.find('/');
  const std::string key{path.substr(0, slash)};
  if (slash == std::string_view::npos) return {{.object = object, .key = key}};
  if (!object.has(key)) return {};
  const Node value = object.at(key);
  std::vector<Place> found;
  for (const Node& within : value.kind() == ValueKind::list ? value.items() : std::vector{value}) {
    if (within.kind() == ValueKind::object)
      std::ranges::move(places(within, path.substr(slash + 1)), std::back_inserter(found));
  }
  return found;
}

bool RelationCheck::is_as_said(const Place& place, const KeyHas& has) {
  const bool is_of_value = !has.words.empty() || has.kind;
  if (!place.is_there() && !(is_of_value && place.spec().fallback)) return false;
  return has_value(place.object.at(place.key), has);
}

// Those that are as said, each with the one word that it has.
std::vector<KeyHas> RelationCheck::said_of(const Node& object, const std::vector<KeyHas>& any_of) {
  std::vector<KeyHas> said;
  for (const KeyHas& has : any_of) {
    const std::vector<Place> all = places(object, has.key);
    const auto found = std::ranges::find_if(all, [&](const Place& place) { return is_as_said(place, has); });
    if (found == all.end()) continue;
    said.push_back(has);
    if (!has.words.empty()) said.back().words = {word_of(found->object.at(found->key))};
  }
  return said;
}

// Whether a wrong value is on the path down from the object, or in what the path leads to.
bool RelationCheck::is_on_path(std::string_view wrong, const Node& object, std::string_view path) {
  const std::string down = fmt::format("/{}", path);
  const std::vector<std::string_view> keys = pointer_tokens(down);
  auto key = keys.begin();
  for (const std::string_view token : pointer_tokens(wrong.substr(object.pointer_.size()))) {
    if (list_index(token)) continue;
    if (key == keys.end()) return true;
    if (token != *key++) return false;
  }
  return true;
}

bool RelationCheck::is_readable(const Node& object, std::string_view path) const {
  const std::string pointer = object.pointer_of(path.substr(0, path.find('/')));
  for (auto wrong = unreadable_.lower_bound(pointer);
       wrong != unreadable_.end() && wrong->starts_with(pointer); ++wrong) {
    if (is_on_path(*wrong, object, path)) return false;
  }
  return true;
}

bool RelationCheck::is_readable(const Node& object, const KeyRelation& relation) const {
  const auto is_one = [&](const KeyHas& has) { return is_readable(object, has.key); };
  return std::ranges::all_of(relation.any_of, is_one) && std::ranges::all_of(relation.excluded, is_one) &&
         std::ranges::all_of(relation.required,
                             [&](const std::string& key) { return is_readable(object, key); });
}

void RelationCheck::check(const Node& object) {
  for (const KeyRelation& relation : object.spec_->object->relations) {
    if (is_readable(object, relation)) check(object, relation);
  }
}

void RelationCheck::check(const Node& object, const KeyRelation& relation) {
  const std::vector<KeyHas> said = said_of(object, relation.any_of);
  if (said.empty() == relation.holds) return;
  const std::string where = text_of(relation.holds ? said : relation.any_of, '"');
  require(object, relation, where);
  exclude(object, relation, where);
}

void RelationCheck::require(const Node& object, const KeyRelation& relation, const std::string& where) {
  for (const std::string& path : relation.required) {
    for (const Place& place : places(object, path)) {
      if (place.is_there()) continue;
      unreadable_.insert(place.pointer());
      const std::string& why = relation.why.empty() ? place.spec().doc : relation.why;
      const std::string by = relation.holds ? fmt::format(", which {} requires", where) : "";
      errors_.attempt([&] { place.object.fail(fmt::format("\"{}\" is missing{}: {}", place.key, by, why)); });
    }
  }
}

void RelationCheck::exclude(const Node& object, const KeyRelation& relation, const std::string& where) {
  const std::string why = relation.why.empty() ? "" : ": " + relation.why;
  const char* rule = relation.holds ? "cannot be combined with" : "is allowed only with";
  for (const KeyHas& has : relation.excluded) {
    for (const Place& place : places(object, has.key)) {
      if (!place.is_there() || !has_value(place.object.at(place.key), has)) continue;
      std::string value;
      if (has.kind) value = value_text(has) + " ";
      if (!has.words.empty()) value = value_text({has.key, {word_of(place.object.at(place.key))}}) + " ";
      unreadable_.insert(place.pointer());
      errors_.attempt(
          [&] { place.object.at(place.key).fail(fmt::format("{}{} {}{}", value, rule, where, why)); });
    }
  }
}

}  // namespace stockout
