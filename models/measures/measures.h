#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/billing/bill.h"
#include "models/billing/terms.h"
#include "models/measures/goal.h"
#include "models/measures/measure_table.h"
#include "models/measures/wait_goal.h"
#include "models/record/run_record.h"
#include "models/world/world.h"

namespace stockout {

/// Meaning of the rows of a table.
enum class GroupBy : std::uint8_t {
  nothing,
  job_class,
  user,
  gpu,
  pool,
  cluster_queue,
  cohort,
  partition,
  account
};
inline constexpr std::array<std::string_view, 9> kGroupByNames{
    "nothing", "class", "user", "gpu", "pool", "cluster_queue", "cohort", "partition", "account"};

/// Whether the rows are jobs of somebody: by class, user, cluster queue, cohort, partition or account.
[[nodiscard]] constexpr bool is_by_jobs(GroupBy by) {
  return by != GroupBy::nothing && by != GroupBy::gpu && by != GroupBy::pool;
}
/// Whether the rows are of Kueue's queues, of which a world without Kueue has none.
[[nodiscard]] constexpr bool is_by_queues(GroupBy by) {
  return by == GroupBy::cluster_queue || by == GroupBy::cohort;
}

/// Whether the rows are partitions or accounts of Slurm, of which a world without Slurm has none.
[[nodiscard]] constexpr bool is_by_slurm(GroupBy by) {
  return by == GroupBy::partition || by == GroupBy::account;
}

/// Use and cost of one price line.
struct LineUse {
  double machine_hours = 0;
  double list_usd = 0;
  double contracted_usd = 0;
  double covered_usd = 0;  // of these, what existing commitments pay for
  friend bool operator==(const LineUse&, const LineUse&) = default;
};

/// When held capacity of the strategy was there.
struct HeldCame {
  PoolId pool{};
  Value late;  // hours in the window without it after it was due; at least, if it never came
  friend bool operator==(const HeldCame&, const HeldCame&) = default;
};

/// GPUs of a zone pool that leases held beyond its capacity.
struct PoolShortage {
  PoolId pool{};
  double gpu_hours = 0;  // above 0
  friend bool operator==(const PoolShortage&, const PoolShortage&) = default;
};

/// Jobs of a class, and how many of them ever started.
struct ClassStarts {
  std::uint64_t jobs = 0;
  std::uint64_t started = 0;
  friend bool operator==(const ClassStarts&, const ClassStarts&) = default;
};

/// One run in numbers with units.
struct Measures {
  Values total;
  std::vector<Values> groups;             // by group_names() of what was asked; empty for nothing
  std::vector<Values> gpus;               // by group_names(gpu)
  std::vector<Values> pipelines;          // by pipeline_names(): how long they took
  std::vector<Values> steps;              // by step_names(): the measures of jobs
  std::vector<ClassStarts> classes;       // by ClassId
  std::vector<GoalMet> goals;             // as asked
  std::vector<LineUse> lines;             // by PriceLineId
  std::vector<HeldCame> held;             // as Strategy::held
  std::vector<PoolShortage> shortages;    // of zone pools that had one, in their order
  std::vector<double> other;              // USD, by BillTerms::other
  Evictions evictions;                    // as in the run record
  Bill bill;                              // exact: what `total` has in dollars
  std::optional<double> reference_gpu_h;  // of completed work; where cost_per_reference divides by it
  BilledUse use;                          // what the cost is the price of
  double undone_gpu_h = 0;                // work of jobs that were not completed, of all GPU types together
  bool drew = false;                      // as in the run record
  std::uint64_t fingerprint = 0;
};

/// How soon after the end of a job another must come to follow it. An assumption: about as long as a person
/// looks at a result before starting the next run.
inline constexpr SimDuration kConsecutiveWithin = std::chrono::hours{1};

/// Choice of tables beyond the total.
struct MeasureOptions {
  GroupBy by = GroupBy::nothing;
  std::optional<WaitGoal> goal;
  std::span<const Goal> goals = {};          // further ones, of which the shares are told
  SimDuration between = kConsecutiveWithin;  // as ConsecutiveJobs has it
  const BillTerms* terms = nullptr;          // nullptr: machines alone
};

/// Reduces the record of world.strategies[strategy] to numbers. Walks the replication's jobs again beside the
/// record. Pure: the same arguments give the same bits.
[[nodiscard]] Measures measure(const World& world, std::size_t strategy, std::uint64_t replication,
                               const RunRecord& record, const MeasureOptions& options = {});

}  // namespace stockout
