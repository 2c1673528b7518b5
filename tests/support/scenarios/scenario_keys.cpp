#include "tests/support/scenarios/scenario_keys.h"

#include "models/scenario/format/keys.h"

namespace stockout::test {
namespace {

void add_words(const ValueSpec& value, const std::string& name, std::vector<std::string>& names) {
  for (const std::string& word : value.choices) names.push_back(name + "=" + word);
  for (const ValueSpec& part : value.parts) add_words(part, name, names);
}

bool may_be(const ValueSpec& spec, const Json& value) {
  switch (spec.kind) {
    case ValueKind::object:
    case ValueKind::table:
      return value.is_object();
    case ValueKind::list:
      return value.is_array();
    case ValueKind::integer:
    case ValueKind::number:
      return value.is_number();
    case ValueKind::flag:
      return value.is_boolean();
    default:
      return value.is_string();
  }
}

void count_object(const ObjectSpec& spec, const Json& object, std::map<std::string, int>& counts);

void count_value(const ValueSpec& spec, const std::string& name, const Json& value,
                 std::map<std::string, int>& counts) {
  if (spec.kind == ValueKind::choice) ++counts[name + "=" + value.get<std::string>()];
  if (spec.kind == ValueKind::object) count_object(*spec.object, value, counts);
  if (spec.kind == ValueKind::list) {
    for (const Json& item : value) count_value(spec.parts.front(), name, item, counts);
  }
  if (spec.kind == ValueKind::table && spec.object != nullptr) {
    for (const Json& item : value) count_object(*spec.object, item, counts);
  }
  if (spec.kind != ValueKind::either) return;
  for (const ValueSpec& part : spec.parts) {
    if (may_be(part, value)) return count_value(part, name, value, counts);
  }
}

void count_object(const ObjectSpec& spec, const Json& object, std::map<std::string, int>& counts) {
  for (const auto& member : object.items()) {
    const std::string name = spec.name + "." + member.key();
    ++counts[name];
    count_value(spec.find(member.key())->value, name, member.value(), counts);
  }
}

}  // namespace

std::vector<std::string> all_scenario_keys() {
  std::vector<std::string> names;
  for (const ObjectSpec* spec : all_keys()) {
    for (const KeySpec& key : spec->keys) {
      names.push_back(spec->name + "." + key.name);
      add_words(key.value, spec->name + "." + key.name, names);
    }
  }
  return names;
}

void count_keys(const Json& file, std::map<std::string, int>& counts) {
  count_object(scenario_keys(), file, counts);
}

}  // namespace stockout::test
