#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/workload/length_fit.h"
#include "models/workload/rate_fit.h"
#include "models/workload/trace.h"

namespace stockout {

/// A size that occurs among jobs: whole nodes of so many GPUs. A total that does not split evenly is
/// rounded up to nodes of equal size.
struct FittedSize {
  std::int32_t nodes = 1;
  std::int32_t gpus = 1;  // of each node
  std::uint64_t jobs = 0;
};

/// The jobs of a class of sizes: one GPU, up to a node, or several nodes. What they ask for and how long they
/// run go together, so each class has its own law.
struct SizeGroup {
  std::string name;  // "1 GPU", "2 to 8 GPUs", "more than 8 GPUs"
  std::uint64_t jobs = 0;
  std::vector<FittedSize> sizes;  // the most frequent first, at most 100: rarer ones are left out of the mix
  std::vector<LawFit> laws;       // of work; see fit_laws()
  Law work;                       // what a scenario should use
};

/// What a trace looks like as random demand.
struct TraceFit {
  RateFit rate;
  std::vector<LawFit> work;  // of all jobs together
  std::vector<SizeGroup> groups;
  std::size_t users = 0;      // 0: the trace names none
  double top_user_share = 0;  // of the jobs
};

/// Fits a Poisson source to a trace of at least one job. `offsets`: local time minus UTC, see
/// local_offsets(); for a trace that is not on the calendar one offset, 0, and its own zero stands for Monday
/// 00:00.
[[nodiscard]] TraceFit fit_trace(const Trace& trace, std::span<const LocalOffset> offsets,
                                 std::int32_t gpus_per_node);

}  // namespace stockout
