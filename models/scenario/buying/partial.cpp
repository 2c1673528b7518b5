#include "models/scenario/buying/partial.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "models/scenario/format/fill.h"

namespace stockout {
namespace {

void check_pools(const Draft& draft, const Node& rule, const std::vector<PoolId>& pools) {
  for (const PoolId id : pools) {
    const Pool& pool = draft.scenario.world.pool(id);
    if (pool.placement) rule.fail(fmt::format("cannot be combined with hosts, as {} has", pool.name));
  }
}

// So many of `machines` will do. A share counts in millionths, so that 7 % of 100 are 7.
std::int32_t least_of(const Node& rule, std::int64_t machines) {
  std::int64_t least = 0;
  if (rule.has("least")) {
    least = rule.integer("least");
  } else {
    least = (std::llround(rule.number("least_share") * 1e6) * machines + 999'999) / 1'000'000;
  }
  return static_cast<std::int32_t>(std::clamp(least, std::int64_t{1}, machines));
}

}  // namespace

void read_partial(Draft& draft, const Node& node, const std::vector<PoolId>& pools, Leg& leg) {
  if (!node.has("partial")) return;
  const Node rule = node.at("partial");
  check_pools(draft, rule, pools);
  fill(leg.partial.emplace(), rule);
  if (leg.partial->recreates && leg.partial->gather == SimDuration::zero())
    rule.at("gather").fail("must be more than 0s with \"recreate\": so long the rest waits for machines");
  for (auto& candidates : leg.candidates) {
    for (Candidate& candidate : candidates) {
      if (candidate.parts[1].machines == 0) candidate.least = least_of(rule, candidate.parts[0].machines);
    }
  }
  const std::string line =
      fmt::format("{}: a job on fewer machines than it asked for works in proportion to them", leg.label);
  auto& assumptions = draft.scenario.assumptions;
  if (std::ranges::find(assumptions, line) == assumptions.end()) draft.assume(line);
}

}  // namespace stockout
