#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/orchestrators/slurm/alarms.h"
#include "models/orchestrators/slurm/cluster.h"
#include "models/orchestrators/slurm/job_life.h"
#include "models/orchestrators/slurm/launcher.h"
#include "models/orchestrators/slurm/power_save.h"
#include "models/orchestrators/slurm/priority_books.h"
#include "models/orchestrators/slurm/schedulers.h"

namespace stockout::slurm {

/// Slurm's controller of one cluster, which starts at SimTime 0. Nothing moves by itself. A user of this
/// class says what happened (a job came, it ended, a node is up, time went on), lets the schedulers settle(),
/// and takes the events: who starts and where, who must stop, which nodes to switch on.
///
/// A job that must stop holds its nodes until stopped(). The numbers of jobs are never given twice.
class Slurm {
 public:
  explicit Slurm(Configuration configuration);

  // --- jobs ---
  /// A job comes. It names partitions that there are, and jobs before it.
  JobId submit(const JobRequest& request);
  /// So many tasks of an array, which are numbered one after another: the number of the first.
  JobId submit_array(const JobRequest& request, std::uint32_t tasks);
  /// A job that has its nodes has ended by itself; `well`: with exit code 0.
  void finish(JobId id, bool well = true);
  /// A job that was told to stop has done so. If it was preempted to be queued again, it is.
  void stopped(JobId id);
  /// A job that has its nodes gives them back and waits again, as after scontrol requeue.
  void requeue(JobId id);
  /// Its user takes it back. It holds no nodes from now on.
  void cancel(JobId id);

  // --- nodes ---
  /// A node that was asked to power up has done so.
  void node_is_up(NodeIndex node);
  /// A node is DOWN: it failed, or could not be had. `back`: when it may be tried again by itself.
  void node_is_down(NodeIndex node, SimTime back = kNever);
  /// A node that is DOWN may be used again.
  void restore_node(NodeIndex node);

  // --- time and scheduling ---
  [[nodiscard]] SimTime now() const { return cluster_.now; }
  /// When a scheduler has work, or something falls due by itself; nothing: not before something happens.
  [[nodiscard]] std::optional<SimTime> next_due() const;
  /// To `at`, with all that falls due on the way; nothing is scheduled. Who goes beyond next_due() delays it.
  void advance(SimTime at);
  /// The schedulers that are due work until none is. No time passes.
  void settle();

  // --- outcome ---
  /// In the order in which it happened, since they were last taken.
  [[nodiscard]] std::vector<Event> take_events() {
    followed_ = 0;
    return std::exchange(cluster_.events, {});
  }
  [[nodiscard]] const Job& job(JobId id) const { return cluster_.jobs[id]; }
  [[nodiscard]] const Configuration& configuration() const { return cluster_.configuration; }
  /// Whether any of its partitions could ever take it: enough nodes, and a limit that long.
  [[nodiscard]] bool could_ever_run(JobId id) const;
  /// Jobs that wait for nodes and for nothing else, a record for each of their partitions.
  [[nodiscard]] const JobQueue& queue() const { return cluster_.queue; }

 private:
  void ring(const Alarm& alarm);
  // What started jobs mean for others and for nodes.
  void follow_starts();
  void leave(JobId id, bool killed);

  Cluster cluster_;
  Alarms alarms_;
  PriorityBooks priorities_{cluster_};
  Launcher launcher_{cluster_, alarms_};
  JobLife jobs_{cluster_, alarms_, priorities_};
  PowerSaving power_{cluster_, alarms_, launcher_, jobs_};
  Schedulers schedulers_{cluster_, launcher_};
  std::size_t followed_ = 0;  // events that follow_starts() has seen
};

}  // namespace stockout::slurm
