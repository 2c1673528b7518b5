#include "models/scenario/buying/spread.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "models/scenario/supply/pools.h"

namespace stockout {
namespace {

void check_region(const Draft& draft, const Node& rule, const std::vector<PoolId>& pools) {
  const World& world = draft.scenario.world;
  for (const PoolId id : pools) {
    const Pool& pool = world.pool(id);
    if (pool.placement) rule.fail(fmt::format("cannot be combined with hosts, as {} has", pool.name));
    const std::string& first = region_of(draft, world.pool(pools.front()));
    if (region_of(draft, pool) != first) {
      rule.fail(
          fmt::format("is over the zones of one region, but the leg has places in {} and {}: take a leg for "
                      "each region",
                      first, region_of(draft, pool)));
    }
  }
}

// The network between zones is measured nowhere.
void check_exchange(const Draft& draft, const Node& rule, const Leg& leg) {
  const World& world = draft.scenario.world;
  for (std::size_t shape = 0; shape < leg.candidates.size(); ++shape) {
    const SpeedProfile& speed = world.speeds[index(world.shapes[shape].speed)];
    const auto may_spread = [&](const Candidate& candidate) { return leg.spreads(candidate); };
    if (!speed.exchange || std::ranges::none_of(leg.candidates[shape], may_spread)) continue;
    rule.fail(
        fmt::format("jobs of {} exchange between their nodes (\"scaling\"), and no source says how fast that "
                    "is between zones",
                    speed.source));
  }
}

void assume_once(Draft& draft, const std::string& line) {
  const auto& known = draft.scenario.assumptions;
  if (std::ranges::find(known, line) == known.end()) draft.assume(line);
}

}  // namespace

void read_spread(Draft& draft, const Node& node, const std::vector<PoolId>& pools, Leg& leg) {
  if (leg.spread == Spread::any_single_zone) return;
  const Node rule = node.at("spread");
  leg.partial.reset();
  if (leg.orchestrator == OrchestratorName::vertex)
    rule.fail("no source says that Vertex AI spreads a job over zones: name compute_engine or slurm");
  if (leg.orchestrator == OrchestratorName::gke)
    rule.fail("a node group of GKE that a job asks is in one zone: name compute_engine or slurm");
  check_region(draft, rule, pools);
  check_exchange(draft, rule, leg);
  assume_once(
      draft,
      fmt::format("{}: a gang spread over zones works as fast as in one, and its machines go {}", leg.label,
                  leg.spread == Spread::any ? "to the zones with the most room first"
                                            : "one by one to the zone that has the fewest of them"));
}

}  // namespace stockout
