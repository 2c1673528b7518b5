#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/world/world.h"
#include "tests/support/random_choice.h"

namespace stockout::test {

/// The machine types of random worlds, by MachineId.
inline constexpr std::array<std::int64_t, 3> kMachineGpus{1, 2, 4};

/// Main subject of a world and of its tested strategy.
enum class Theme : std::uint8_t { any, held, deadline, keep };

/// Makes strategies at random for a world whose pools, shapes and classes are there.
class StrategyMaker {
 public:
  /// `lines`: by pool, the price line of a lease there; of a zone pool for each of kMachineGpus. `unit`:
  /// times are multiples of it.
  StrategyMaker(Choice& choice, const World& world, SimDuration unit,
                const std::vector<std::vector<PriceLineId>>& lines)
      : choice_{choice}, world_{world}, unit_{unit}, lines_{lines} {}

  /// A tenant's strategy uses zone pools only, and its parts have no price line.
  [[nodiscard]] Strategy make(bool tenant, Theme theme);

 private:
  SimDuration units(std::int64_t least, std::int64_t most) { return unit_ * choice_.number(least, most); }
  Strategy spot_among_others(const std::vector<PoolId>& zones);
  Strategy by_deadline(const std::vector<PoolId>& zones);
  Strategy kept_and_retried(const std::vector<PoolId>& zones);
  Strategy held_first(const std::vector<PoolId>& held, const std::vector<PoolId>& zones);
  HealthTest health();
  Law law();
  Law lifetime();
  Policy policy(bool held);
  Leg leg(const std::vector<PoolId>& pools, bool held);
  std::vector<PoolId> some_of(std::vector<PoolId> pools);
  [[nodiscard]] Part part(PoolId pool, std::int32_t machines, std::size_t type) const;
  std::optional<Candidate> candidate(PoolId pool, const Shape& shape);
  std::optional<Candidate> held_candidate(PoolId pool, const Shape& shape);
  Resubmission resubmission();

  Choice& choice_;
  const World& world_;
  SimDuration unit_;
  const std::vector<std::vector<PriceLineId>>& lines_;
  bool is_tenant_ = false;  // whose strategy is being made
};

}  // namespace stockout::test
