#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "models/scenario/format/node.h"

namespace stockout {

template <typename Value>
inline constexpr bool kIsOptionalValue = false;
template <typename Value>
inline constexpr bool kIsOptionalValue<std::optional<Value>> = true;

template <typename Value>
inline constexpr bool kIsVector = false;
template <typename Value>
inline constexpr bool kIsVector<std::vector<Value>> = true;

/// The value as a member holds it: a word of a choice as the enumerator in its place, of two words whether it
/// is the second; a count as a quantity of its own.
template <typename Value>
Value read_as(const Node& node) {
  if constexpr (kIsOptionalValue<Value>) {
    return read_as<typename Value::value_type>(node);
  } else if constexpr (kIsVector<Value>) {
    Value values;
    for (const Node& item : node.items()) values.push_back(read_as<typename Value::value_type>(item));
    return values;
  } else if constexpr (std::same_as<Value, SimDuration>) {
    return node.as_duration();
  } else if constexpr (std::same_as<Value, Date>) {
    return node.as_date();
  } else if constexpr (std::same_as<Value, std::string>) {
    return node.as_text();
  } else if constexpr (std::same_as<Value, bool>) {
    return node.kind() == ValueKind::choice ? node.choice_index() == 1 : node.as_flag();
  } else if constexpr (std::is_enum_v<Value>) {
    return static_cast<Value>(node.choice_index());
  } else if constexpr (std::integral<Value>) {
    return static_cast<Value>(node.as_integer());
  } else if constexpr (std::floating_point<Value>) {
    return node.as_number();
  } else {
    return Value{node.as_integer()};
  }
}

/// A key that does nothing but fill this member.
template <typename Owner, typename Value>
KeySpec filling(Value Owner::*member, KeySpec key) {
  key.member = {.owner = &typeid(Owner), .put = [member](void* owner, const Node& node) {
                  static_cast<Owner*>(owner)->*member = read_as<Value>(node);
                }};
  return key;
}

/// Fills the members of `owner` that keys of the object name, if those are there or have a default.
template <typename Owner>
void fill(Owner& owner, const Node& node) {
  for (const KeySpec& key : node.keys()) {
    const bool is_its = key.member.owner != nullptr && *key.member.owner == typeid(Owner);
    if (is_its && (node.has(key.name) || key.fallback)) key.member.put(&owner, node.at(key.name));
  }
}

}  // namespace stockout
