#include "models/scenario/buying/gated.h"

#include <algorithm>

#include <fmt/format.h>

namespace stockout {
namespace {

void check_terms(const Node& strategy, const Gate& gate) {
  const auto refuse = [&](const Node& node) {
    node.fail(fmt::format("cannot be combined with legs that have a \"{}\" of {}", gate.key, gate.name));
  };
  for (const char* key : {"deadline_rule", "resubmit"}) {
    if (strategy.has(key)) refuse(strategy.at(key));
  }
  if (strategy.has("quota") && strategy.at("quota").text("taken_at") == "start")
    refuse(strategy.at("quota").at("taken_at"));
}

}  // namespace

bool is_gated(const Draft& draft, const Node& node_of_strategy, const Gate& gate) {
  const std::vector<Node> legs = node_of_strategy.list("legs");
  if (std::ranges::none_of(legs, [&](const Node& leg) { return leg.has(gate.key); })) return false;
  check_terms(node_of_strategy, gate);
  for (const Node& leg : legs) {
    if (!leg.has(gate.key))
      leg.fail(fmt::format("has no \"{}\", and other legs of the strategy have one", gate.key));
    if (!draft.root.has(gate.settings))
      leg.at(gate.key).fail(fmt::format("has no effect: the scenario has no \"{}\"", gate.settings));
  }
  return true;
}

void refuse_steps_tried_again(const Draft& draft, const Gate& gate) {
  const auto is_tried_again = [](const Source& source) {
    return source.step && source.step->retry.times > 0;
  };
  if (std::ranges::any_of(draft.scenario.world.sources, is_tried_again))
    draft.root.at(gate.settings)
        .fail("cannot be combined with pipelines whose steps are tried again (\"retry\")");
}

}  // namespace stockout
