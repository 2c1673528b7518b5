#include "models/scenario/supply/placement.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "models/scenario/supply/pools.h"

namespace stockout {
namespace {

// Virtual machines that compact placement puts into one block, each a host: Compute Engine's page on
// requesting virtual machines with Flex Start, "maxDistance" 2.
struct BlockOfFamily {
  std::string_view family;
  std::int32_t hosts;
};
constexpr std::array<BlockOfFamily, 4> kBlocks{BlockOfFamily{.family = "a3-highgpu", .hosts = 256},
                                               BlockOfFamily{.family = "a3-megagpu", .hosts = 256},
                                               BlockOfFamily{.family = "a3-ultragpu", .hosts = 256},
                                               BlockOfFamily{.family = "a4-highgpu", .hosts = 150}};

std::int32_t block_hosts(const Pool& pool, std::int32_t hosts) {
  const auto* const found = std::ranges::find(kBlocks, pool.family, &BlockOfFamily::family);
  return found == kBlocks.end() ? hosts : found->hosts;
}

}  // namespace

std::optional<Placement> read_placement(Draft& draft, const Node& node, const Pool& pool) {
  if (!node.has("placement")) return std::nullopt;
  const Node rule = node.at("placement");
  const auto hosts = static_cast<std::int32_t>(node.integer("hosts"));
  if (hosts == 0) node.at("hosts").fail("must be at least 1 with a \"placement\"");
  const Placement placement{.hosts = hosts,
                            .host_gpus = static_cast<std::int32_t>(host_gpus(draft, pool.family).count()),
                            .block_hosts = rule.has("block_hosts")
                                               ? static_cast<std::int32_t>(rule.integer("block_hosts"))
                                               : block_hosts(pool, hosts),
                            .fill = rule.choice<Fill>("fill")};
  draft.assume(fmt::format("{}: hosts are filled by {}, {} to a block", pool.name,
                           kFillNames[static_cast<std::size_t>(placement.fill)], placement.block_hosts));
  return placement;
}

Compact read_compact(const Draft& draft, const Node& leg, const std::vector<PoolId>& pools) {
  const World& world = draft.scenario.world;
  const bool has_hosts = std::ranges::any_of(
      pools, [&](PoolId id) { return !world.is_held(id) && world.pool(id).placement.has_value(); });
  const auto compact = leg.choice<Compact>("compact");
  if (compact != Compact::no && !has_hosts)
    leg.at("compact").fail("requires a place whose pool has a \"placement\"; none of the leg's has");
  return compact;
}

EmptyHosts::EmptyHosts(const World& world) {
  for (const Pool& pool : world.pools) {
    maps_.emplace_back(pool.placement ? std::optional<HostMap>{*pool.placement} : std::nullopt);
  }
}

bool EmptyHosts::hold(const Candidate& candidate, Compact compact) {
  if (index(candidate.pool) >= maps_.size()) return true;
  std::optional<HostMap>& map = maps_[index(candidate.pool)];
  return !map || map->fits(candidate.footprint(compact));
}

}  // namespace stockout
