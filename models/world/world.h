#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/billing/price_line.h"
#include "models/catalog/types.h"
#include "models/consumption/strategy.h"
#include "models/supply/pool.h"
#include "models/workload/arrivals/arrivals.h"
#include "models/workload/speed.h"
#include "models/world/kueue_cluster.h"
#include "models/world/quota.h"
#include "models/world/slurm_cluster.h"
#include "sim/core/local_time.h"

namespace stockout {

/// How a pipeline tries a step again that failed, as Vertex AI Pipelines do.
struct StepRetry {
  Tries times = 0;                              // at most, not negative
  SimDuration first = std::chrono::seconds{1};  // from the failure to the first try, at least 1 ms
  std::int64_t factor_ppm = 2'000'000;          // from one pause to the next, at least 10^6
  SimDuration most = std::chrono::hours{1};     // the longest pause, at least `first`

  /// Before the try of that number, counted from 0.
  [[nodiscard]] SimDuration pause_before(std::int64_t number) const;
};

/// A source whose jobs are steps of pipelines: graphs of jobs in which a step begins once those before it
/// have completed. A pipeline is the jobs that come at one instant for one job, or one group, of its first
/// source.
struct PipelineStep {
  SourceId first{};             // the source that begins the pipelines: itself, or the one that it follows
  std::vector<SourceId> after;  // the steps before it; empty only for the first
  bool begins_anyway = false;   // once those before it are final, completed or not
  bool by_group = false;        // of the first: a pipeline for each group of it, not for each job
  bool ends_with_failure =
      false;  // of the first: no further step begins once one of the pipeline did not complete
  StepRetry retry = {};
};

/// Failure policy of a JobSet: fate of a set of jobs that lacks one of them.
struct JobSetRule {
  SimDuration hold = kForever;  // so long machines wait for those of the other jobs; then all are given back
  SimDuration again = std::chrono::minutes{1};  // and asked for again; positive
  std::int32_t restarts = 0;                    // at most; JobSet's maxRestarts
  bool in_place = false;                        // a restart keeps the start-up of the machines that are left
};

/// A source whose jobs are members of sets: jobs that come together, begin their work together, and begin
/// again together when one of them has lost its machines. Each job of the first source has a set.
struct SetMember {
  SourceId first{};  // itself, or the one that it is with
  JobSetRule rule;   // of the first
};

/// Which jobs come, and how they buy.
struct Source {
  std::string name;
  Demand demand;
  std::string team = {};               // of its jobs, where their trace names none. For reports
  bool background = false;             // tenants: they compete, and appear in no measure
  std::vector<Strategy> tenants;       // background only: their strategies ...
  std::vector<double> tenant_weights;  // ... and how often each is followed; as many as tenants
  std::optional<PipelineStep> step = std::nullopt;
  std::optional<SetMember> set = std::nullopt;

  /// The source whose jobs those with FollowingArrivals follow.
  [[nodiscard]] SourceId followed() const { return step ? step->first : set->first; }
};

/// When a run ends.
enum class RunEnd : std::uint8_t {
  drain,  // when the last recorded job is final, at the latest drain_limit after the window
  time,   // at the end of the window; jobs still open are unfinished
};

/// Until when held capacity is paid for.
enum class HoldEnd : std::uint8_t { run_end, last_start };

/// Order of things that happen in one instant.
enum class Ties : std::uint8_t {
  releases_first,  // releases, capacity, timers, arrivals, then grants: the rule of the design
  starts_first,    // timers, arrivals, grants, then releases and capacity, whose room is granted at the next
                   // instant
};

/// 10^9 jobs that are served as they come take fewer; a run of so many takes up to an hour.
inline constexpr std::uint64_t kMostSteps = 10'000'000'000;

/// Everything a simulation needs and nothing it could change. Built once, checked completely, shared by
/// threads.
struct World {
  std::string name;
  std::uint64_t seed = 1;

  SimTime begin{};       // -warm_up: nothing happens before
  SimTime window_end{};  // jobs submitted in [kStart, window_end) are recorded ...
  RunEnd end = RunEnd::drain;
  SimDuration drain_limit{};
  HoldEnd hold_end = HoldEnd::run_end;
  SimDuration grid{};  // 0: continuous (milliseconds); else arrivals and lengths are floored to it
  Ties ties = Ties::releases_first;
  std::uint64_t most_steps = kMostSteps;  // events and requests of a run; one that comes to more is ended

  std::chrono::sys_time<std::chrono::milliseconds> start_date{};  // of kStart
  std::vector<OffsetStep> utc_offsets;  // local time minus UTC, sorted; the first at or before `begin`
  BillingRule billing;

  std::vector<std::string> gpu_types;  // names of GPU types, by GpuTypeId
  std::vector<MachineType> machines;
  std::vector<Shape> shapes;
  std::vector<SpeedProfile> speeds;  // by SpeedId; the first is that of jobs which say nothing
  std::vector<JobClass> classes;
  std::vector<std::string> users;
  std::vector<PriceLine> price_lines;
  std::vector<Pool> pools;            // zone pools; PoolId counts these first ...
  std::vector<HeldPool> held;         // ... and goes on through these
  std::vector<QuotaBucket> quotas;    // of the planner
  std::optional<KueueCluster> kueue;  // in the planner's Kubernetes cluster
  std::optional<SlurmCluster> slurm;  // in the planner's Slurm cluster
  std::vector<Source> sources;
  std::vector<Strategy> strategies;  // the scenario's, in its order

  /// Whether any source is a step of pipelines.
  [[nodiscard]] bool has_pipelines() const {
    return std::ranges::any_of(sources, [](const Source& source) { return source.step.has_value(); });
  }
  /// Whether any source has sets of jobs.
  [[nodiscard]] bool has_sets() const {
    return std::ranges::any_of(sources, [](const Source& source) { return source.set.has_value(); });
  }
  /// Whether the code of any job may fail.
  [[nodiscard]] bool has_exits() const {
    return std::ranges::any_of(classes, [](const JobClass& one) { return one.exits.any(); });
  }
  [[nodiscard]] std::size_t pool_count() const { return pools.size() + held.size(); }
  [[nodiscard]] bool is_held(PoolId id) const { return index(id) >= pools.size(); }
  [[nodiscard]] const HeldPool& held_pool(PoolId id) const { return held[index(id) - pools.size()]; }
  [[nodiscard]] const Pool& pool(PoolId id) const {
    return is_held(id) ? held_pool(id).pool : pools[index(id)];
  }
};

/// The jobs of a world in order of arrival, tenants included.
[[nodiscard]] Arrivals all_arrivals(const World& world, std::uint64_t replication);

/// The jobs of sources that are not background, in order of arrival.
[[nodiscard]] Arrivals recorded_arrivals(const World& world, std::uint64_t replication);

/// Calls `visit(number, job)` for each recorded job of a replication, number counting from 0 as in its run
/// record.
template <typename Visit>
void for_each_recorded_job(const World& world, std::uint64_t replication, Visit visit) {
  Arrivals arrivals = recorded_arrivals(world, replication);
  std::uint64_t number = 0;
  for (const Job* job = arrivals.peek(); job != nullptr; job = arrivals.peek()) {
    if (job->submit >= world.window_end) break;
    if (job->submit >= kStart) visit(number++, *job);
    arrivals.pop();
  }
}

}  // namespace stockout
