#pragma once

#include <cstdint>
#include <vector>

#include "models/world/world.h"
#include "tests/validation/pool_world.h"

namespace stockout::test {

/// Mean service time: so long that rounding to milliseconds cannot be seen, and so short that millions of
/// them fit into the longest run.
inline constexpr SimDuration kMeanService = std::chrono::minutes{10};

/// Gangs of one size, as a share of all arrivals.
struct GangShare {
  double share = 1;
  std::int32_t gpus = 1;
};

/// Poisson arrivals at one pool.
struct PoissonPool {
  std::int32_t gpus = 1;
  double load = 0;  // arrivals per mean service time
  std::vector<GangShare> gangs{{}};
  Law service{.kind = Law::Kind::exponential, .a = kMeanService};  // of mean kMeanService
  Policy policy;       // loss_policy() or queue_policy(), first-in first-out
  double jobs = 0;     // expected number in the measured part of each replication
  double warm_up = 0;  // mean service times before the measured part
};

/// The world whose recorded jobs are those of the pool, from an empty system on.
[[nodiscard]] World poisson_world(const PoissonPool& pool);

/// A figure: the mean of `value` over the jobs of the measured part, or over those of one size only.
struct Figure {
  double (*value)(const JobOutcome&) = nullptr;
  std::int32_t only_gpus = 0;  // 0: jobs of any size
};

/// For each of `figures`, its value in each of `replications` replications.
[[nodiscard]] std::vector<std::vector<double>> replicate(const World& world, double warm_up,
                                                         std::size_t replications,
                                                         const std::vector<Figure>& figures);

/// 1 for a job that was never granted, else 0.
[[nodiscard]] double is_lost(const JobOutcome& outcome);
/// 1 for a job that was not granted in the instant in which it came, else 0.
[[nodiscard]] double had_to_wait(const JobOutcome& outcome);
/// Submission to grant, in mean service times.
[[nodiscard]] double wait(const JobOutcome& outcome);

}  // namespace stockout::test
