#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "models/orchestrators/slurm/cluster.h"
#include "models/orchestrators/slurm/launcher.h"
#include "models/orchestrators/slurm/node_calendar.h"

namespace stockout::slurm {

/// Conservative backfill as papers define it, at each event: a yardstick. In the order of the queue every job
/// is promised whole nodes for the earliest time at which they are promised to nobody for as long as it may
/// run. At each event, in that order, each gives its promise back and takes the earliest one beside those of
/// all others: never a later one, of several nodes those with the lowest numbers. So does Batsim. A job that
/// comes again is promised nodes anew.
///
/// Promises last from event to event. Only those are looked at whose time has come, or for which a node that
/// is free longer than it was could do.
class ConservativeScheduler {
 public:
  ConservativeScheduler(Cluster& cluster, Launcher& launcher);

  /// An event has happened: every job that can start does.
  void cycle();

 private:
  struct Promise {
    JobId job = 0;
    std::size_t place = 0;      // of the partition among those of the job
    bool is_looked_at = false;  // since it was last without nodes
    std::uint64_t seen = 0;     // growths of the calendar when it was last looked at
    SimTime at = kNever;        // kNever: it has no nodes
    NodeSet nodes = {};
  };

  void take_news();
  void follow_queue(JobId id);
  void follow_nodes();
  void set_hold(NodeIndex node);
  void lapse();
  void work_through_queue();
  [[nodiscard]] std::size_t next_place(std::size_t place);

  // Nodes of the partition that have as much as the job asks of each.
  [[nodiscard]] const NodeSet& large_enough(const Job& job, PartitionIndex partition);
  [[nodiscard]] NodeCalendar::Request request_of(PromiseId id);
  // From when on another promise is to be looked for; kNever: there is none.
  [[nodiscard]] SimTime may_move(PromiseId id);
  // Whether the job has started.
  bool look_at(PromiseId id, SimTime from);
  [[nodiscard]] bool start(PromiseId id, const NodeSet& among);
  void move(PromiseId id, const NodeCalendar::Opening& opening, const NodeCalendar::Request& request);
  void give_back(PromiseId id);
  void drop(JobId id);
  void urge(PromiseId id);

  [[nodiscard]] PromiseId promise_of(const QueueRecord& record) const;

  Cluster& cluster_;
  Launcher& launcher_;
  NodeCalendar calendar_;
  NodeSet usable_;
  std::vector<Promise> promises_;
  std::vector<PromiseId> unused_;
  std::vector<std::vector<PromiseId>> of_job_;       // by job: one for each of its partitions
  std::set<std::pair<SimTime, PromiseId>> by_time_;  // promises of nodes
  std::vector<QueueRecord> urgent_;                  // must be looked at in this cycle
  std::vector<PromiseId> displaced_;
  std::map<std::tuple<PartitionIndex, int, int>, NodeSet> large_enough_;  // by CPUs and GPUs asked for
  NodeSet among_;                                                         // of a request
};

}  // namespace stockout::slurm
