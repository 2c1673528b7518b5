#include "models/scenario/load/replications.h"

#include <fmt/format.h>

#include "models/scenario/format/keys.h"
#include "models/scenario/format/known_names.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

Measure read_measure(const Node& node) {
  std::vector<std::string> known;
  for (const MeasureInfo& measure : measure_table()) known.emplace_back(measure.name);
  return measure_table()[find_name(node, "measure", known)].measure;
}

Precision read_precision(const Node& node) {
  Precision precision{.half_width = node.number("half_width") / 100,
                      .of = {},
                      .most = static_cast<std::size_t>(node.integer("most"))};
  for (const Node& name : node.at("of").items()) precision.of.push_back(read_measure(name));
  return precision;
}

}  // namespace

void read_replications(Draft& draft, const ScenarioOptions& options) {
  const Node& root = draft.root;
  Scenario& scenario = draft.scenario;
  scenario.replications = options.replications.value_or(static_cast<int>(root.integer("replications")));
  if (scenario.replications < 1 || scenario.replications > kMostReplications) {
    throw InputError{{.file = "command line", .pointer = "--replications"},
                     fmt::format("must be 1 to {}", kMostReplications)};
  }
  if (root.has("precision") && !options.replications)
    scenario.precision = read_precision(root.at("precision"));
  scenario.control_variates = root.flag("control_variates");
}

}  // namespace stockout
