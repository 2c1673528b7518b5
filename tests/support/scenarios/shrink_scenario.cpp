#include "tests/support/scenarios/shrink_scenario.h"

#include <string>
#include <vector>

namespace stockout::test {
namespace {

using Pointer = Json::json_pointer;

void add_below(const Json& value, const Pointer& at, std::vector<Pointer>& found) {
  if (!value.is_structured()) return;
  for (const auto& item : value.items()) {
    // Behind come first: dropping an item moves only those that were tried already.
    const std::string key =
        value.is_array() ? std::to_string(value.size() - 1 - std::stoull(item.key())) : item.key();
    found.push_back(at / key);
  }
  for (const auto& item : value.items()) add_below(item.value(), at / item.key(), found);
}

/// Everything that could be dropped, outer values before those in them.
std::vector<Pointer> droppable(const Json& file) {
  std::vector<Pointer> found;
  add_below(file, Pointer{}, found);
  return found;
}

Json without(const Json& file, const Pointer& at) {
  Json smaller = file;
  Json& parent = smaller.at(at.parent_pointer());
  if (parent.is_array()) {
    parent.erase(std::stoull(at.back()));
  } else {
    parent.erase(at.back());
  }
  return smaller;
}

}  // namespace

Json shrink_scenario(Json file, const std::function<bool(const Json&)>& still_fails) {
  bool is_smaller = true;
  while (is_smaller) {
    is_smaller = false;
    for (const Pointer& at : droppable(file)) {
      if (!file.contains(at)) continue;  // gone with what it was in
      Json smaller = without(file, at);
      if (!still_fails(smaller)) continue;
      file = std::move(smaller);
      is_smaller = true;
    }
  }
  return file;
}

}  // namespace stockout::test
