#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "models/scenario/format/node.h"

namespace stockout {

/// The value as a member holds it: a word of a choice as the enumerator in its place.
template <typename Value>
Value read_as(const Node& node) {
  if constexpr (std::same_as<Value, SimDuration>) {
    return node.as_duration();
  } else if constexpr (std::same_as<Value, std::string>) {
    return node.as_text();
  } else if constexpr (std::same_as<Value, bool>) {
    return node.as_flag();
  } else if constexpr (std::is_enum_v<Value>) {
    return static_cast<Value>(node.choice_index());
  } else if constexpr (std::integral<Value>) {
    return static_cast<Value>(node.as_integer());
  } else {
    static_assert(std::floating_point<Value>);
    return node.as_number();
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
