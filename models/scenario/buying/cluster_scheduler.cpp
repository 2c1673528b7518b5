#include "models/scenario/buying/cluster_scheduler.h"

#include <algorithm>

#include <fmt/format.h>

namespace stockout {
namespace {

void check_terms(const Node& strategy, const ClusterScheduler& scheduler) {
  const auto refuse = [&](const Node& node) {
    node.fail(
        fmt::format("cannot be combined with legs that have a \"{}\" of {}", scheduler.key, scheduler.name));
  };
  for (const char* key : {"deadline_rule", "resubmit"}) {
    if (strategy.has(key)) refuse(strategy.at(key));
  }
  if (strategy.has("quota") && strategy.at("quota").text("taken_at") == "start")
    refuse(strategy.at("quota").at("taken_at"));
}

}  // namespace

bool is_under(const Draft& draft, const Node& node_of_strategy, const ClusterScheduler& scheduler) {
  const std::vector<Node> legs = node_of_strategy.list("legs");
  if (std::ranges::none_of(legs, [&](const Node& leg) { return leg.has(scheduler.key); })) return false;
  check_terms(node_of_strategy, scheduler);
  for (const Node& leg : legs) {
    if (!leg.has(scheduler.key))
      leg.fail(fmt::format("has no \"{}\", and other legs of the strategy have one", scheduler.key));
    if (!draft.root.has(scheduler.settings))
      leg.at(scheduler.key)
          .fail(fmt::format("has no effect: the scenario has no \"{}\"", scheduler.settings));
  }
  return true;
}

void refuse_steps_tried_again(const Draft& draft, const ClusterScheduler& scheduler) {
  const auto is_tried_again = [](const Source& source) {
    return source.step && source.step->retry.times > 0;
  };
  if (std::ranges::any_of(draft.scenario.world.sources, is_tried_again))
    draft.root.at(scheduler.settings)
        .fail("cannot be combined with pipelines whose steps are tried again (\"retry\")");
}

}  // namespace stockout
