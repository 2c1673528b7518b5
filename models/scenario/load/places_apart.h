#pragma once

#include <string>
#include <vector>

#include "models/scenario/format/node.h"

namespace stockout {

/// The places of a scenario that something named changes.
struct NamedPlaces {
  std::string name;
  std::vector<std::string> pointers;
};

/// Throws InputError, at `list`, if two of them change the same place, or one a place within that of another:
/// which value counts would depend on which is put there first.
void check_apart(const Node& list, const std::vector<NamedPlaces>& all);

}  // namespace stockout
