#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "models/orchestrators/slurm/configuration.h"
#include "models/orchestrators/slurm/free_nodes.h"
#include "models/orchestrators/slurm/job.h"
#include "models/orchestrators/slurm/job_queue.h"
#include "models/orchestrators/slurm/node_set.h"
#include "models/orchestrators/slurm/selector.h"

namespace stockout::slurm {

/// The nodes: what is free on them, which may be used, and who holds them.
struct NodeBooks {
  explicit NodeBooks(const Configuration& configuration);

  FreeNodes free;
  NodeSet usable;                           // up, or off but to be had
  NodeSet off;                              // powered down, or on the way up
  std::vector<std::int64_t> weights;        // by which nodes are chosen: off ones come last
  std::vector<NodeSet> of_partition;        // by partition
  std::vector<std::vector<JobId>> jobs_on;  // by node: who holds it
  Selector selector;
};

/// What has become of jobs and nodes since a scheduler that keeps books of its own last looked.
struct News {
  std::vector<JobId> queue;  // have come into the queue or left it
  NodeSet nodes;             // are held by others, or for longer or less long
};

/// The state that the parts of Slurm share: nodes, jobs, who runs, who waits, the time.
struct Cluster {
  explicit Cluster(Configuration given);

  Configuration configuration;
  NodeBooks nodes{configuration};
  SimTime now = kStart;
  std::vector<Job> jobs;
  JobQueue queue;
  std::set<std::pair<SimTime, JobId>> running;  // by expected end: those that hold nodes
  std::vector<Event> events;
  SimTime changed{};          // when something last happened that a scheduler might act on
  std::uint64_t changes = 0;  // how often that was
  News news;                  // for conservative backfill; of no other are there any

  [[nodiscard]] Settings& settings() { return configuration.settings; }
  [[nodiscard]] const Settings& settings() const { return configuration.settings; }

  /// The last whole second of the controller's clock.
  [[nodiscard]] SimTime second() const { return round_down(now, std::chrono::seconds{1}); }
  /// To a multiple of `unit` since the Unix epoch.
  [[nodiscard]] SimTime round_down(SimTime at, SimDuration unit) const;
  [[nodiscard]] SimTime round_up(SimTime at, SimDuration unit) const;

  /// Whole seconds since the job is eligible, in which Slurm counts.
  [[nodiscard]] SimDuration age_of(const Job& job) const {
    return second() - round_down(job.eligible, std::chrono::seconds{1});
  }
  [[nodiscard]] Shape shape_of(const Job& job, PartitionIndex partition) const;
  /// How long the job may run in the partition.
  [[nodiscard]] SimDuration limit_of(const Job& job, PartitionIndex partition) const;
  /// Whether the job could ever run in the partition: enough nodes, short enough.
  [[nodiscard]] bool could_run_in(const Job& job, PartitionIndex partition) const;

  void has_changed() {
    changed = now;
    ++changes;
  }
  /// How the job, whose priorities are known, waits in one of its partitions.
  [[nodiscard]] QueueRecord record_of(JobId id, std::size_t place) const;
  /// The job, whose priorities are known, stands in the queue, or no longer does.
  void enqueue(JobId id);
  void dequeue(JobId id);
  /// Jobs of the queue get other priorities: `set` gives each its own.
  template <typename Set>
  void reorder(Set set) {
    auto records = queue.take();
    for (const QueueRecord& record : records) set(jobs[record.job]);
    for (QueueRecord& record : records) record.priority = priority_in(record);
    queue.fill(std::move(records));
    has_changed();
  }

  /// Nodes of `among` for the job now: none if it has no room.
  [[nodiscard]] std::optional<std::vector<NodeIndex>> room_for(const Job& job, PartitionIndex partition,
                                                               const NodeSet& among);
  /// The job, which waits, gets the nodes at `at`.
  void hold_nodes(JobId id, PartitionIndex partition, std::vector<NodeIndex> held, SimTime at);
  /// The job holds nodes no longer.
  void free_nodes(JobId id);
  void set_expected_end(JobId id, SimTime end);
  void tell(Event::Kind kind, JobId job) { events.push_back({.kind = kind, .at = now, .job = job}); }
  void tell_node(Event::Kind kind, NodeIndex node) {
    events.push_back({.kind = kind, .at = now, .node = node});
  }

 private:
  template <typename Visit>
  void for_each_record(JobId id, Visit visit) const;
  [[nodiscard]] std::uint32_t priority_in(const QueueRecord& record) const;
  void note_in_queue(JobId id);
  void note_nodes_of(const Job& job);

  NodeSet fitting_;  // kept for its memory
};

}  // namespace stockout::slurm
