#pragma once

#include "models/workload/jobs.h"
#include "sim/random/draw.h"

namespace stockout {

/// Makes job number `row` of a synthetic source, submitted at `submit`: shape, work, deadline and user.
/// Everything it draws is keyed by (source, row) alone.
[[nodiscard]] Job make_job(const SyntheticDemand& demand, SourceId source, Dice dice, std::uint64_t row,
                           SimTime submit);

/// The identity of a row of a source among all entities that draw.
[[nodiscard]] constexpr std::uint64_t entity_of(SourceId source, std::uint64_t row) {
  return (static_cast<std::uint64_t>(source) << 48) | row;
}

}  // namespace stockout
