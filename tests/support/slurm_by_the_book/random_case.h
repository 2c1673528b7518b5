#pragma once

#include <cstdint>

#include "tests/support/slurm_by_the_book/slurm_case.h"

namespace stockout::test {

/// What cases of a kind are about. Each has some of what those before it have.
enum class CaseKind : std::uint8_t {
  textbook,    // EASY and conservative backfill
  plain,       // main scheduler and sched/backfill
  priorities,  // multifactor
  preemption,  // by quality of service or tier
  waiting,     // dependencies, arrays, GPUs, whole nodes, who is cancelled or requeued
  power,       // nodes that are switched on and off, and fail
};

/// A small cluster and a few jobs, the same for one seed on every platform.
[[nodiscard]] SlurmCase random_case(CaseKind kind, std::uint64_t seed);

}  // namespace stockout::test
