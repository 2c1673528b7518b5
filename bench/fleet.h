#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "models/world/world.h"

namespace stockout::bench {

/// Submissions and lengths of an M/M/c queue, made before any clock runs.
struct QueueInput {
  std::int32_t servers = 64;
  double load_per_server = 0.9;
  std::size_t jobs = 1'000'000;
  std::uint64_t seed = 1;
  std::uint32_t users = 1;  // each job is somebody's at random
};

/// Poisson submissions, exponential lengths of mean one hour, one GPU each.
[[nodiscard]] std::shared_ptr<const JobColumns> make_jobs(const QueueInput& input);

/// One pool of `gpus` one-GPU machines with one queue, and `jobs` that ask for gangs of 1, 2, 3, ... up to
/// `shapes` GPUs.
[[nodiscard]] World queue_world(std::shared_ptr<const JobColumns> jobs, std::int32_t gpus,
                                Discipline discipline, std::int32_t shapes = 1);

/// Sum of all waits of a first-come first-served queue, in milliseconds, worked out by a loop that pushes and
/// pops the same departures over the same arrivals and does nothing else: the limit for any simulator.
[[nodiscard]] std::int64_t bare_fcfs_wait_ms(const JobColumns& jobs, std::int32_t servers);

}  // namespace stockout::bench
