#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/scenario/format/decision.h"
#include "models/scenario/format/node.h"
#include "models/scenario/format/unknown.h"

namespace stockout {

/// Keys that say of which kind an item of a list is, which has no "name": it is known by the first of them
/// that it has, and by its "place".
inline constexpr std::array<std::string_view, 4> kKindKeys{"family", "gpu", "machine", "model"};

/// Whether an item of a list is known by the value of this key.
[[nodiscard]] bool is_naming_key(std::string_view key);

/// The places of a scenario that something named changes.
struct NamedPlaces {
  std::string name;
  std::vector<std::string> pointers;
};

/// Those of all choices.
[[nodiscard]] NamedPlaces places_of(const Unknown& unknown);
[[nodiscard]] NamedPlaces places_of(const DecisionVariable& decision);

/// Which two of them change the same place, or one a place within that of another, in words; nothing if none
/// do. Which value counts would depend on which is put there first.
[[nodiscard]] std::optional<std::string> shared_place(const std::vector<NamedPlaces>& all);

/// Throws InputError, at `list`, if there are such two.
void check_apart(const Node& list, const std::vector<NamedPlaces>& all);

}  // namespace stockout
