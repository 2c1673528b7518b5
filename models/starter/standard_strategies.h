#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/starter/market.h"
#include "sim/io/commented_json.h"

namespace stockout {

/// Reserved machines that the strategies are to try.
struct StarterReservation {
  std::string name = {};
  std::string gpu = {};
  std::string machine = {};
  std::string region = {};
  std::int64_t count = 1;
  bool share = false;  // jobs are smaller than a machine
};

/// The ways of buying that are compared first: on demand, Spot, Flex Start, reserved, and the usual mixtures.
/// Jobs whose GPU type a model does not sell get it by the next model that does.
[[nodiscard]] std::vector<CommentedJson> standard_strategies(
    const std::vector<GpuMarket>& markets, const std::vector<StarterReservation>& reservations,
    std::string_view orchestrator);

}  // namespace stockout
