#include "models/scenario/buying/node_groups.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

constexpr std::string_view kAssumption =
    "GKE: node groups back off as in the open-source cluster autoscaler, and waiting jobs ask when that "
    "ends, not at its next pass within 10s";

bool is_autoscaled(const Leg& leg) {
  return leg.orchestrator == OrchestratorName::gke && !leg.policy.waits();
}

// A back-off of nothing would be tried again without end.
void check_first(const Node& leg, const Policy& policy) {
  if (policy.retry_interval >= kShortestPause) return;
  (leg.has("retry_interval") ? leg.at("retry_interval") : leg)
      .fail(fmt::format("a node group of {} backs off for {}: \"retry_interval\" must be at least {}",
                        policy.name, format_duration(policy.retry_interval),
                        format_duration(kShortestPause)));
}

NodeGroupRule read_rule(const Node& strategy, const Leg& leg) {
  NodeGroupRule rule;
  if (!strategy.has("node_groups")) {
    rule.most = std::max(rule.most, leg.policy.retry_interval);
    return rule;
  }
  const Node node = strategy.at("node_groups");
  fill(rule, node);
  if (rule.most < leg.policy.retry_interval) {
    node.at("back_off_most")
        .fail(fmt::format("is shorter than the first back-off, the \"retry_interval\" of {}: {}",
                          leg.policy.name, format_duration(leg.policy.retry_interval)));
  }
  return rule;
}

}  // namespace

void read_node_groups(const Node& node, Strategy& strategy) {
  bool has_any = false;
  for (std::size_t i = 0; i < strategy.legs.size(); ++i) {
    Leg& leg = strategy.legs[i];
    if (!is_autoscaled(leg)) continue;
    has_any = true;
    check_first(node.list("legs")[i], leg.policy);
    leg.node_group = read_rule(node, leg);
  }
  if (node.has("node_groups") && !has_any) {
    node.at("node_groups")
        .fail("requires a leg of the orchestrator gke that is granted or refused at once, such as spot");
  }
}

void assume_of_node_groups(Draft& draft) {
  const auto has_groups = [](const Leg& leg) { return leg.node_group.has_value(); };
  const auto& strategies = draft.scenario.world.strategies;
  if (std::ranges::any_of(strategies,
                          [&](const Strategy& one) { return std::ranges::any_of(one.legs, has_groups); }))
    draft.assume(std::string{kAssumption});
}

}  // namespace stockout
