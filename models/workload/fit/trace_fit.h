#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/catalog/catalog.h"
#include "models/workload/fit/length_fit.h"
#include "models/workload/fit/rate_fit.h"
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

/// Property that tells kinds of jobs apart.
enum class FitBy : std::uint8_t { job_class, machine, team, user };
inline constexpr std::array<std::string_view, 4> kFitByNames{"class", "machine", "team", "user"};

/// A kind with fewer jobs has no fit of its own.
inline constexpr std::uint64_t kLeastFittedJobs = 50;

/// Jobs that are fitted together, and what they have in common; a text is empty where they differ, or the
/// trace does not say.
struct FittedKind {
  std::string job_class;
  std::string machine;  // machine type, or ...
  std::string gpu;      // ... GPU type, or several: speed_text.h
  std::string team;
  std::string user;
  std::uint64_t jobs = 0;
  std::uint64_t few = 0;  // kinds of fewer than kLeastFittedJobs that are in it
  std::size_t users = 0;  // 0: the trace names none
  RateFit rate;           // over the whole trace
  std::vector<SizeGroup> groups;
};

struct FitOptions {
  std::int32_t gpus_per_node = 8;  // of jobs whose machine the catalogue does not know
  std::vector<FitBy> by = {};      // from what tells kinds apart first to what is given up first
};

/// Random demand fitted to a trace.
struct TraceFit {
  RateFit rate;  // of all jobs together, as the next
  std::vector<LawFit> work;
  std::vector<FittedKind> kinds;  // those with the most jobs first
  std::size_t users = 0;          // 0: the trace names none
  double top_user_share = 0;      // of the jobs
};

/// Fits Poisson sources to a trace of at least one job: one to each kind of its jobs. Kinds of few jobs that
/// differ in the last of `by` alone are fitted together, and so on; what is left in the end is one kind, or
/// one for each machine or GPU type if `by` has it. A kind has the words that all its jobs share.
/// `offsets`: local time minus UTC, see local_offsets(); for a trace that is not on the calendar one offset,
/// 0, and its own zero stands for Monday 00:00.
[[nodiscard]] TraceFit fit_trace(const Trace& trace, std::span<const LocalOffset> offsets,
                                 const FitOptions& options, const Catalog& catalog);

}  // namespace stockout
