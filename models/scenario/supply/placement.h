#pragma once

#include <optional>
#include <vector>

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"
#include "models/supply/host_map.h"
#include "models/world/world.h"

namespace stockout {

/// The hosts of a pool that names a `placement`, whose capacity has been read. Throws InputError if the
/// capacity is not a fixed number of hosts for all classes, or if machines of the pool may break.
[[nodiscard]] std::optional<Placement> read_placement(Draft& draft, const Node& node, const Pool& pool);

/// A leg's `compact`, on `pools`. Throws InputError if none of them has a placement.
[[nodiscard]] Compact read_compact(const Draft& draft, const Node& leg, const std::vector<PoolId>& pools);

/// Hosts on which nobody stands: whether a request could ever be placed there.
class EmptyHosts {
 public:
  explicit EmptyHosts(const World& world);

  /// True for a pool without placement.
  [[nodiscard]] bool hold(const Candidate& candidate, Compact compact);

 private:
  std::vector<std::optional<HostMap>> maps_;  // by zone pool
};

}  // namespace stockout
