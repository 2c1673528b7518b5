#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/world/world.h"

namespace stockout {

/// Where the jobs of a replication stand in the columns of their traces. Only what is written of a trace
/// asks: a job itself does not carry it through the simulation.
class TracePlaces {
 public:
  /// `world` outlives it.
  TracePlaces(const World& world, std::uint64_t replication);

  /// The place in JobColumns of the source's trace, of a copy that of its original. Nothing for a job of
  /// another source, or of a trace that tells nothing of its jobs' teams and of when they were held back.
  [[nodiscard]] std::optional<std::size_t> of(const Job& job) const;

 private:
  std::vector<std::vector<std::size_t>> places_;  // by source, then by row
};

}  // namespace stockout
