#include "models/scenario/buying/provisioning_requests.h"

#include "models/scenario/buying/job_sets.h"
#include "models/scenario/draft/lengths.h"
#include "models/scenario/format/fill.h"

namespace stockout {
namespace {

// Machines of sets wait for one another, by the rule of their set.
bool has_pods(const World& world, const Leg& leg) {
  return leg.orchestrator == OrchestratorName::gke && leg.policy.by_resize_request &&
         !is_open_to_sets(world, leg);
}

PodRule read_pod_rule(const Node& node) {
  PodRule rule{.after = to_law(node.at("pods_after"), {})};
  fill(rule, node);
  return rule;
}

}  // namespace

void read_provisioning_requests(const Draft& draft, const Node& node, Strategy& strategy) {
  if (!node.has("provisioning_request")) return;
  const PodRule rule = read_pod_rule(node.at("provisioning_request"));
  bool has_any = false;
  for (std::size_t i = 0; i < strategy.legs.size(); ++i) {
    Leg& leg = strategy.legs[i];
    if (!has_pods(draft.scenario.world, leg)) continue;
    has_any = true;
    leg.pods = rule;
    if (leg.race == Race::first_boot) {
      node.list("legs")[i].at("race").fail(
          "cannot be combined with \"provisioning_request\" of the strategy");
    }
  }
  if (!has_any) {
    node.at("provisioning_request")
        .fail("requires a leg of flex_start_mig under the orchestrator gke, closed to jobs of sets");
  }
}

}  // namespace stockout
