#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/orchestrators/slurm/configuration.h"
#include "sim/core/time.h"

namespace stockout::slurm {

/// Number of a job, in the order of submission, from 0. Each task of an array has its own.
using JobId = std::uint32_t;

/// When a job may start, with respect to another that was submitted before it.
enum class DependencyKind : std::uint8_t {
  after,      // the other has been given its nodes, up or not
  after_any,  // it has ended
  after_ok,   // it has ended well
  after_not,  // it has failed
};

struct Dependency {
  DependencyKind kind = DependencyKind::after_any;
  JobId job = 0;
};

/// Needs of a job on each of its nodes, and the number of those.
struct Size {
  int nodes = 1;
  int cpus_per_node = 0;   // tasks on each node; 0: one
  int gpus_per_node = 0;   // --gres=gpu:N
  bool exclusive = false;  // whole nodes
};

/// Options of sbatch. How long the job really runs is not among them: its user tells when it has ended.
struct JobRequest {
  Size size = {};
  SimDuration time_limit = kForever;             // for ever: that of the partition
  std::vector<PartitionIndex> partitions = {0};  // where it may run, in the order of the user
  std::optional<QosIndex> qos = std::nullopt;
  std::optional<std::uint32_t> user = std::nullopt;      // place among the associations
  std::int64_t nice = 0;                                 // subtracted from the priority
  std::optional<std::uint32_t> priority = std::nullopt;  // given directly; 0: held
  std::vector<Dependency> dependencies = {};
  std::optional<JobId> array = std::nullopt;  // it is a further task of the array with that first one
  std::uint32_t tasks_at_once = 0;            // of its array (%limit of --array); 0: any number
  bool requeue = true;                        // may be started again after it was interrupted
  bool batch = true;                          // sbatch; else salloc: tried at once, never requeued
};

enum class JobState : std::uint8_t {
  waiting,      // for a dependency, a place of its array, or the end of a delay after a requeue
  pending,      // in the queue
  held,         // priority 0, or a dependency that can never be met
  configuring,  // it has its nodes, and some of them are not up yet
  running,
  leaving,  // preempted: its nodes are not free yet
  ended,
};

/// Where a job runs, or ran last, and since when.
struct Run {
  PartitionIndex partition = 0;
  SimTime started{};
  SimTime expected_end{};             // start and time limit
  std::vector<NodeIndex> nodes = {};  // none: it holds none
  bool ended_well = false;
  bool will_requeue = false;  // state leaving: once its nodes are free
};

/// A job and what became of it.
struct Job {
  JobRequest request;
  JobState state = JobState::waiting;
  JobId array = 0;         // number of the first task; its own, unless it is a task of an array
  std::uint32_t task = 0;  // of the array
  SimTime submitted{};     // of the last requeue, if there was one
  SimTime eligible{};      // since when nothing but the scheduler holds it back
  std::vector<std::uint32_t> priorities = {};  // one for each partition of the request
  SimTime queued = kNever;                     // when it last entered the queue
  int unmet = 0;                               // dependencies
  bool has_place = false;                      // among the tasks of its array that may run at once
  SimTime preempts_until{};                    // it has claimed victims, and takes no others until then
  Run run = {};
};

/// Event that a scheduler tells the world.
struct Event {
  enum class Kind : std::uint8_t {
    started,      // has its nodes, which are up
    configuring,  // has its nodes; those that are down are powered up first
    preempted,    // must stop; it waits again once its user has said that it did, or is over
    requeued,     // waits again: a node failed
    failed,       // a node failed, and it may not be started again
    timed_out,    // its time limit is over: must stop
    power_up,     // a node is asked to start
    power_down,   // a node is switched off
    node_down,    // a node did not come up in time
  };
  Kind kind{};
  SimTime at{};
  JobId job = 0;          // of the first six
  NodeIndex node = 0;     // of the others
  JobId by = 0;           // of preempted: for which job
  PartitionIndex in = 0;  // the same: where that one is to run
};

}  // namespace stockout::slurm
