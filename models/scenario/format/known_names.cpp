#include "models/scenario/format/known_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/unknown_name.h"

namespace stockout {

std::size_t find_name(const Node& node, std::string_view what, std::string_view name,
                      std::span<const std::string> known, std::size_t most) {
  const auto found = std::ranges::find(known, name);
  if (found == known.end()) fail_unknown(node, what, name, known, most);
  return static_cast<std::size_t>(found - known.begin());
}

void fail_unknown(const Node& node, std::string_view what, std::string_view name,
                  std::span<const std::string> known, std::size_t most, std::string_view cure) {
  const std::string problem = unknown_name(what, name, known, most);
  node.fail(problem.ends_with('?') ? problem : with_cure(problem, cure));
}

std::string with_cure(std::string problem, std::string_view cure) {
  if (!cure.empty()) problem.append(problem.ends_with('?') ? " " : ". ").append(cure);
  return problem;
}

std::size_t find_name(const Node& node, std::string_view what, std::span<const std::string> known,
                      std::size_t most) {
  return find_name(node, what, node.as_text(), known, most);
}

std::vector<std::string> distinct_names(const std::vector<Node>& list, std::string_view what) {
  std::vector<std::string> names;
  for (const Node& node : list) {
    const std::string name = node.text("name");
    if (std::ranges::find(names, name) != names.end())
      node.at("name").fail(fmt::format("there is a {} \"{}\" already", what, name));
    names.push_back(name);
  }
  return names;
}

}  // namespace stockout
