#pragma once

#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include "models/scenario/format/node.h"
#include "models/scenario/format/spec.h"
#include "sim/io/field.h"

namespace stockout {

// A list of fields as the keys of a JSON object: what the object may hold, reading with the place of what is
// wrong, and writing.

[[nodiscard]] inline ValueSpec json_spec(const Whole& kind) {
  return integer_value(static_cast<double>(kind.least), static_cast<double>(kind.most));
}
[[nodiscard]] inline ValueSpec json_spec(const Number& kind) { return number_value(kind.least, kind.most); }
[[nodiscard]] inline ValueSpec json_spec(const Flag& /*kind*/) { return flag_value(); }
template <typename Text>
[[nodiscard]] ValueSpec json_spec(const Text& /*kind*/) {
  return text_value();
}

[[nodiscard]] inline StoredValue json_value(const Node& node, const Whole& /*kind*/) {
  return node.as_integer();
}
[[nodiscard]] inline StoredValue json_value(const Node& node, const Number& /*kind*/) {
  return node.as_number();
}
[[nodiscard]] inline StoredValue json_value(const Node& node, const Flag& /*kind*/) {
  return Flag::encode(node.as_flag());
}
template <typename Text>
[[nodiscard]] StoredValue json_value(const Node& node, const Text& /*kind*/) {
  return node.as_text();
}

/// The keys, in the order of the fields. Those that may be missing need not be there.
template <typename... Fields>
[[nodiscard]] std::vector<KeySpec> json_keys(const std::tuple<Fields...>& fields) {
  std::vector<KeySpec> keys;
  for_each_field(fields, [&](const auto& field) {
    const auto key = field.may_be_missing() ? optional_key : required_key;
    keys.push_back(key(std::string{field.name}, json_spec(field.kind), std::string{field.doc}));
  });
  return keys;
}

/// Reads an object that was held against json_keys(). Throws InputError with file, line and JSON pointer.
template <typename... Fields, typename Struct>
void read_fields(const Node& object, const std::tuple<Fields...>& fields, Struct& to) {
  for_each_field(fields, [&](const auto& field) {
    if (!object.has(field.name)) return;
    const Node node = object.at(field.name);
    if (const std::string problem = field.set(to, json_value(node, field.kind)); !problem.empty())
      node.fail(problem);
  });
}

/// Adds what is there to an object, in the order of the fields.
template <typename... Fields, typename Struct>
void write_fields(nlohmann::ordered_json& object, const std::tuple<Fields...>& fields, const Struct& from) {
  for_each_field(fields, [&](const auto& field) {
    const StoredValue value = field.get(from);
    const std::string key{field.name};
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
      object[key] = *whole;
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field.kind)>, Flag>)
        object[key] = *whole == 1;
    } else if (const auto* number = std::get_if<double>(&value)) {
      object[key] = *number;
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      object[key] = *text;
    }
  });
}

}  // namespace stockout
