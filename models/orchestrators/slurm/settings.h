#pragma once

#include <array>
#include <cstdint>

#include "sim/core/time.h"

namespace stockout::slurm {

/// Who fills the holes that the strict order of the queue leaves.
enum class Backfill : std::uint8_t {
  slurm,           // the plugin sched/backfill, every bf_interval
  none,            // sched/builtin: the main scheduler alone
  easy,            // textbook EASY, at each event: only the head of the queue has a reservation
  easy_by_number,  // the same, where the head of the queue is promised the nodes with the lowest numbers
  conservative,    // textbook conservative backfill, at each event: every job has one, in the order of the
                   // queue
};

/// SchedulerParameters of the main scheduler, in the words of slurm.conf. Slurm counts in whole seconds.
struct MainParameters {
  int default_queue_depth = 100;                            // records that a short cycle looks at
  SimDuration sched_interval = std::chrono::seconds{60};    // between cycles over the full queue
  SimDuration batch_sched_delay = std::chrono::seconds{3};  // between the others, at least
  /// Whether the end of a job starts a short cycle at once, as it does where an Epilog is configured. Else it
  /// asks for one, as a submission does: so does Slurm 22.05 without Epilog, unless it has killed the job.
  bool cycle_at_end = true;
  /// Whether a batch job whose nodes come up starts only when Slurm next looks at time limits, each 30 s. So
  /// does Slurm 22.05; a driver that runs jobs as soon as their nodes are up has no such delay.
  bool starts_at_looks = false;
};

/// SchedulerParameters of backfill.
struct BackfillParameters {
  SimDuration interval = std::chrono::seconds{30};    // between cycles
  SimDuration window = std::chrono::hours{24};        // how far ahead it plans
  SimDuration resolution = std::chrono::seconds{60};  // to which it rounds
  int max_job_test = 500;                             // jobs that a cycle tries
  int max_job_start = 0;                              // that it starts; 0: no limit
  int max_job_array_resv = 20;                        // tasks of an array that get a reservation
  int job_part_count_reserve = 0;                     // reservations in a partition; 0: no limit
  int node_space_size = 0;                            // entries of the plan; 0: max_job_test
  std::uint32_t min_prio_reserve = 0;                 // jobs below get no reservation
  SimDuration min_age_reserve{};                      // nor do jobs that have waited less
  SimDuration window_linear{};                        // growth of the groups of ends; 0: they double
};

enum class PreemptType : std::uint8_t { none, partition_priority, qos };
enum class PreemptMode : std::uint8_t { off, requeue, cancel };

struct PreemptionParameters {
  PreemptType type = PreemptType::none;
  PreemptMode mode = PreemptMode::off;
  int reorder_count = 1;                             // how often victims are sorted anew
  bool youngest_first = false;                       // victims: the latest start first
  SimDuration kill_wait = std::chrono::seconds{30};  // KillWait: from the end of the time limit to SIGKILL
};

/// PriorityWeight...; all of them 0: jobs go in the order of submission.
struct PriorityWeights {
  std::uint32_t age = 0;
  std::uint32_t fair_share = 0;
  std::uint32_t job_size = 0;
  std::uint32_t partition = 0;
  std::uint32_t qos = 0;
};

enum class PriorityType : std::uint8_t {
  basic,        // first come, first served
  multifactor,  // the sum of weighted factors
};

struct PriorityParameters {
  PriorityType type = PriorityType::multifactor;
  PriorityWeights weights = {};
  SimDuration max_age = std::chrono::hours{7 * 24};          // at which the age factor is 1
  SimDuration calculation_period = std::chrono::minutes{5};  // between two calculations
  SimDuration half_life = std::chrono::hours{7 * 24};        // of usage; 0: it does not decay
  /// Whether a job is charged for the time from the last calculation to its end. Slurm does so only where
  /// AccountingStorageEnforce has limits: else jobs that no calculation sees are never charged.
  bool charges_at_end = true;
  bool favor_small = false;
  bool size_relative_to_time = false;  // PriorityFlags=SMALL_RELATIVE_TO_TIME
};

/// Nodes that are switched off while idle.
struct PowerSave {
  SimDuration suspend_time = kForever;                     // idle for so long: powered down; for ever: never
  SimDuration suspend_timeout = std::chrono::seconds{30};  // until a node that powers down may be used again
  SimDuration resume_timeout = std::chrono::seconds{60};   // not up by then: the node is DOWN
};

struct Settings {
  Backfill backfill_type = Backfill::slurm;
  MainParameters main = {};
  BackfillParameters backfill = {};
  PriorityParameters priority = {};
  PreemptionParameters preemption = {};
  PowerSave power = {};
  SimDuration requeue_delay = std::chrono::seconds{121};  // lifetime of a credential, and a second
  SimDuration
      epoch{};  // from the Unix epoch to SimTime 0: Slurm rounds to whole seconds and minutes since then
};

}  // namespace stockout::slurm
