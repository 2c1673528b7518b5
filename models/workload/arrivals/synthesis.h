#pragma once

#include "models/workload/jobs.h"
#include "sim/random/draw.h"

namespace stockout {

/// Rows below are those of demand as it is written. Jobs that come on top, because demand is multiplied, have
/// their own: copy_row(row, n) for copy n of a row of a trace or a schedule, and for Poisson demand
/// the rows of poisson_cursor.h.
inline constexpr std::uint64_t kFirstAddedRow = std::uint64_t{1} << 40;

/// The most copies of a row, and so the bound of every factor of demand: rows have 48 bits.
inline constexpr double kMostCopies = 100;

/// The most jobs of a batch of Poisson arrivals: with at most 10^6 jobs an hour on average, the rows of four
/// hours stay within 2^23 (2^22 on average, the standard deviation is below 2^18).
inline constexpr std::int32_t kMostAtOnce = 10'000;

/// The row of copy `number` of a row, which is copy 0.
[[nodiscard]] constexpr std::uint64_t copy_row(std::uint64_t row, std::uint64_t number) {
  return row | (number * kFirstAddedRow);
}

/// Makes job number `row` of a synthetic source, submitted at `submit`: shape, work, maximum wait, deadline
/// and user. Everything it draws is keyed by (source, row) alone.
[[nodiscard]] Job make_job(const SyntheticDemand& demand, SourceId source, RandomStreams random,
                           std::uint64_t row, SimTime submit);

/// Which of its source's pipelines a job that begins one belongs to; the row of the jobs that follow it.
[[nodiscard]] constexpr std::uint64_t pipeline_of(const Job& first, bool by_group) {
  return by_group ? first.group : first.row;
}

/// The identity of a row of a source among all entities that draw.
[[nodiscard]] constexpr std::uint64_t entity_of(SourceId source, std::uint64_t row) {
  return (static_cast<std::uint64_t>(source) << 48) | row;
}

}  // namespace stockout
