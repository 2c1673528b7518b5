#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/consumption/strategy.h"
#include "models/supply/pool.h"

namespace stockout::reference {

/// Free GPUs of each host.
using FreeGpus = std::vector<std::int64_t>;

/// The host of each machine.
using Hosts = std::vector<std::size_t>;

[[nodiscard]] FreeGpus empty_hosts(const Placement& placement);

/// Where the machines of the candidate would stand, one by one; nothing if one of them finds no host.
[[nodiscard]] std::optional<Hosts> put_on_hosts(const Placement& placement, Compact compact,
                                                const FreeGpus& free, const Candidate& candidate);

}  // namespace stockout::reference
