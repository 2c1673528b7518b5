#pragma once

#include <optional>

#include "models/consumption/strategy.h"
#include "models/scenario/supply/placement.h"
#include "models/world/world.h"

namespace stockout {

/// Which places could ever hold a job, if nobody else asked for anything: by the most GPUs that they have at
/// any time, by hosts, by quotas, and by how many machines one request may have. The simulation goes by the
/// same rule (R3.2 of models/simulation/README.md).
class CouldServe {
 public:
  /// Pools, held pools and quotas of the world are there, and stay.
  explicit CouldServe(const World& world) : world_{world}, hosts_{world} {}

  /// Whether the place ever has what the leg asks for there at least.
  [[nodiscard]] bool holds(const Leg& leg, const Candidate& place);

  /// Whether a place of the leg could hold jobs of the shape; of a leg that spreads gangs, all its places.
  [[nodiscard]] bool serves(const Leg& leg, ShapeId shape);

  /// The most GPUs that the pool ever has for the leg; none: as many as anybody asks for.
  [[nodiscard]] std::optional<GpuCount> room(const Leg& leg, PoolId pool) const;

 private:
  [[nodiscard]] bool has_room(const Leg& leg, const Candidate& place) const;
  [[nodiscard]] bool is_within_quotas(const Leg& leg, const Candidate& place) const;

  const World& world_;
  EmptyHosts hosts_;
};

/// GPUs of the candidate without which the leg takes nothing there.
[[nodiscard]] GpuCount least_gpus_of(const Leg& leg, const Candidate& place);

}  // namespace stockout
