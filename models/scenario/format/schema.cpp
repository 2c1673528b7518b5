#include "models/scenario/format/schema.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/scenario/format/keys.h"

namespace stockout {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMonths = "[1-9][0-9]* ?(month|quarter|year)s?";
constexpr const char* kDuration =
    R"(([0-9]+(\.[0-9]+)? ?(ms|s|min|h|d|w|(millisecond|second|minute|hour|day|week)s?) ?)+)";
constexpr const char* kClock = R"(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)";

Json text_like(const std::string& pattern) {
  return {{"type", "string"}, {"pattern", fmt::format("^({})$", pattern)}};
}

// Whole numbers as such: 5, not 5.0.
Json bound(double value) {
  return std::trunc(value) == value ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

void add_range(Json& schema, const ValueSpec& value, const char* least, const char* most) {
  if (std::isfinite(value.least))
    schema[value.more_than_least ? "exclusiveMinimum" : least] = bound(value.least);
  if (std::isfinite(value.most)) schema[most] = bound(value.most);
}

Json reference(const ObjectSpec& object) { return {{"$ref", fmt::format("#/$defs/{}", object.name)}}; }

Json reference(const KnownNames& names) { return {{"$ref", fmt::format("#/$defs/{}", names.kind)}}; }

Json schema_of(const ValueSpec& value);

Json number_schema(const ValueSpec& value, const char* type) {
  Json schema{{"type", type}};
  add_range(schema, value, "minimum", "maximum");
  return schema;
}

Json list_schema(const ValueSpec& value) {
  Json schema{{"type", "array"}, {"items", schema_of(value.parts.front())}};
  add_range(schema, value, "minItems", "maxItems");
  return schema;
}

Json table_schema(const ValueSpec& value) {
  Json schema{{"type", "object"}, {"additionalProperties", schema_of(value.parts.front())}};
  if (value.known != nullptr) schema["propertyNames"] = reference(*value.known);
  return schema;
}

Json either_schema(const ValueSpec& value) {
  Json kinds = Json::array();
  for (const ValueSpec& kind : value.parts) kinds.push_back(schema_of(kind));
  return {{"anyOf", kinds}};
}

Json schema_of(const ValueSpec& value) {
  const std::string clock = kClock;
  switch (value.kind) {
    case ValueKind::text:
      return value.known == nullptr ? Json{{"type", "string"}} : reference(*value.known);
    case ValueKind::flag:
      return {{"type", "boolean"}};
    case ValueKind::integer:
      return number_schema(value, "integer");
    case ValueKind::number:
      return number_schema(value, "number");
    case ValueKind::duration:
      return text_like(value.forever ? fmt::format("{}|forever", kDuration) : kDuration);
    case ValueKind::window:
      return text_like(fmt::format("{}|{}", kDuration, kMonths));
    case ValueKind::date:
      return text_like("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    case ValueKind::clock:
      return text_like(clock);
    case ValueKind::clock_span:
      return text_like(fmt::format("({0})-({0})", clock));
    case ValueKind::choice:
      return {{"enum", value.choices}};
    case ValueKind::object:
      return reference(*value.object);
    case ValueKind::list:
      return list_schema(value);
    case ValueKind::table:
      return table_schema(value);
    case ValueKind::any:
      return Json::object();
    case ValueKind::either:
      break;
  }
  return either_schema(value);
}

Json to_json(const JsonValue& value) { return Json::parse(to_text(value, 10'000)); }

// Exactly one, or at most one, of some keys.
void add_choice_of_keys(Json& schema, const KeyGroup& group, bool one_needed) {
  Json options = Json::array();
  Json none = Json::array();
  for (const std::string& key : group.keys) {
    options.push_back({{"required", {key}}});
    none.push_back({{"required", {key}}});
  }
  if (!one_needed) options.push_back({{"not", {{"anyOf", none}}}});
  schema["allOf"].push_back({{"oneOf", options}});
}

Json required_schema(const std::vector<std::string>& keys) { return {{"required", keys}}; }

const char* json_type(ValueKind kind) {
  switch (kind) {
    case ValueKind::number:
      return "number";
    case ValueKind::list:
      return "array";
    case ValueKind::object:
      return "object";
    default:
      return "string";
  }
}

// What a value must be to be as said.
Json value_schema(const KeyHas& has, const KeySpec& key) {
  if (has.kind) return {{"type", json_type(*has.kind)}};
  if (key.value.kind != ValueKind::flag) return {{"enum", has.words}};
  Json flags = Json::array();
  for (const std::string& word : has.words) flags.push_back(word == "true");
  return {{"enum", flags}};
}

// As relations name it; empty: no word and no flag.
std::string default_word(const KeySpec& key) {
  if (!key.fallback) return {};
  if (const auto* flag = key.fallback->get<bool>()) return *flag ? "true" : "false";
  const auto* word = key.fallback->get<std::string>();
  return word == nullptr ? std::string{} : *word;
}

bool is_of_value(const KeyHas& has) { return has.kind || !has.words.empty(); }

/// A path, one key at a time.
struct Step {
  const KeySpec* key;
  bool is_last = false;
  KeyHas rest = {};  // of the objects in its value

  Step(const KeyHas& has, const ObjectSpec& object) {
    const std::size_t slash = has.key.find('/');
    key = object.find(has.key.substr(0, slash));
    is_last = slash == std::string::npos;
    if (!is_last) rest = {.key = has.key.substr(slash + 1), .words = has.words, .kind = has.kind};
  }
  [[nodiscard]] const ObjectSpec& within() const { return *objects_in(key->value); }
  [[nodiscard]] Json of_value(const Json& object, const char* items) const {
    const Json value = key->value.kind == ValueKind::list ? Json{{items, object}} : object;
    return {{"properties", {{key->name, value}}}};
  }
};

// Whether a key is there, or has a value, a missing one by its default: that of some object on the path.
Json where_schema(const KeyHas& has, const ObjectSpec& object) {
  const Step step{has, object};
  if (!step.is_last) {
    Json schema = step.of_value(where_schema(step.rest, step.within()), "contains");
    schema.update(required_schema({step.key->name}));
    return schema;
  }
  if (!is_of_value(has)) return required_schema({has.key});
  Json schema{{"properties", {{has.key, value_schema(has, *step.key)}}}};
  const bool by_default = std::ranges::find(has.words, default_word(*step.key)) != has.words.end();
  if (!by_default) schema.update(required_schema({has.key}));
  return schema;
}

// Every object on the path has the key.
Json has_schema(const KeyHas& has, const ObjectSpec& object) {
  const Step step{has, object};
  if (step.is_last) return required_schema({has.key});
  return step.of_value(has_schema(step.rest, step.within()), "items");
}

// No object on the path has the key with such a value.
Json has_not_schema(const KeyHas& has, const ObjectSpec& object) {
  const Step step{has, object};
  if (!step.is_last) return step.of_value(has_not_schema(step.rest, step.within()), "items");
  const Json value = is_of_value(has) ? Json{{"not", value_schema(has, *step.key)}} : Json(false);
  return {{"properties", {{has.key, value}}}};
}

// Both, where they speak of different things.
void merge(Json& to, const Json& from) {
  for (const auto& [key, value] : from.items()) {
    if (!to.contains(key) || value.is_boolean()) {
      to[key] = value;
    } else if (value.is_array()) {
      to[key].insert(to[key].end(), value.begin(), value.end());
    } else {
      merge(to[key], value);
    }
  }
}

void add_relation(Json& schema, const KeyRelation& relation, const ObjectSpec& object) {
  const auto is_path = [](const std::string& key) { return key.find('/') != std::string::npos; };
  const KeyHas& first = relation.any_of.front();
  const bool is_plain =
      !is_of_value(first) && !is_path(first.key) && std::ranges::none_of(relation.required, is_path);
  if (relation.any_of.size() == 1 && is_plain && relation.holds && relation.excluded.empty()) {
    schema["dependentRequired"][first.key] = relation.required;
    return;
  }
  Json where = where_schema(first, object);
  if (relation.any_of.size() > 1) {
    Json any_of = Json::array();
    for (const KeyHas& has : relation.any_of) any_of.push_back(where_schema(has, object));
    where = {{"anyOf", any_of}};
  }
  Json then = Json::object();
  for (const std::string& key : relation.required) merge(then, has_schema({key}, object));
  for (const KeyHas& has : relation.excluded) merge(then, has_not_schema(has, object));
  schema["allOf"].push_back({{"if", where}, {relation.holds ? "then" : "else", then}});
}

Json object_schema(const ObjectSpec& object) {
  Json schema{{"description", object.doc}, {"type", "object"}, {"additionalProperties", false}};
  Json properties = Json::object();
  Json required = Json::array();
  for (const KeySpec& key : object.keys) {
    Json property{{"description", key.doc}};
    property.update(schema_of(key.value));
    if (key.fallback) property["default"] = to_json(*key.fallback);
    properties[key.name] = property;
    if (key.required) required.push_back(key.name);
  }
  schema["properties"] = properties;
  if (!required.empty()) schema["required"] = required;
  for (const KeyGroup& group : object.exactly_one) add_choice_of_keys(schema, group, true);
  for (const KeyGroup& group : object.at_most_one) add_choice_of_keys(schema, group, false);
  for (const KeyRelation& relation : object.relations) add_relation(schema, relation, object);
  return schema;
}

// The names that a value, or what is in it, is one of.
void add_names(Json& parts, const ValueSpec& value) {
  for (const ValueSpec& part : value.parts) {
    if (part.kind != ValueKind::object) add_names(parts, part);
  }
  if (value.known != nullptr && !parts.contains(value.known->kind))
    parts[value.known->kind] = {{"description", value.known->what}, {"enum", value.known->list()}};
}

}  // namespace

std::string format_schema(std::string_view title, std::string_view made_from,
                          std::span<const ObjectSpec* const> objects) {
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"$comment", fmt::format("Generated from {}; a test keeps it so. Do not edit.", made_from)},
              {"title", title}};
  schema.update(object_schema(*objects.front()));
  Json parts = Json::object();
  for (const ObjectSpec* object : objects.subspan(1)) parts[object->name] = object_schema(*object);
  for (const ObjectSpec* object : objects) {
    for (const KeySpec& key : object->keys) add_names(parts, key.value);
  }
  schema["$defs"] = parts;
  return schema.dump(2) + "\n";
}

std::string scenario_schema() {
  return format_schema("stockout scenario", "models/scenario/format/keys*.cpp", all_keys());
}

}  // namespace stockout
