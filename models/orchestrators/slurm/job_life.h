#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "models/orchestrators/slurm/alarms.h"
#include "models/orchestrators/slurm/cluster.h"
#include "models/orchestrators/slurm/priority_books.h"

namespace stockout::slurm {

/// How jobs come, wait for others, end, and come again.
class JobLife {
 public:
  JobLife(Cluster& cluster, Alarms& alarms, const PriorityBooks& priorities)
      : cluster_{cluster}, alarms_{alarms}, priorities_{priorities} {}

  /// A job, or so many tasks of an array, comes. The number of the first.
  JobId submit(const JobRequest& request, std::uint32_t tasks);
  /// The job has ended by itself.
  void finish(JobId id, bool well);
  /// The job, which was told to stop, has done so.
  void stopped(JobId id);
  /// Its user takes it back.
  void cancel(JobId id);
  /// A node that the job holds has failed: it waits again, or fails.
  void lose_nodes(JobId id);
  /// Its delay after a requeue is over.
  void become_eligible(JobId id);
  /// It has its nodes, up or not: who waited only for that goes on.
  void has_started(JobId id) { meet(id); }

 private:
  // Who waits for something of another job.
  struct Dependent {
    JobId job = 0;
    DependencyKind kind{};
  };
  // Of an array whose tasks may not all run at once.
  struct Places {
    std::uint32_t taken = 0;
    std::deque<JobId> line;  // who waits for one
  };

  void add(const JobRequest& request, JobId array, std::uint32_t task);
  void wait_for(JobId id, const Dependency& dependency);
  void queue_up(JobId id);
  void enter_queue(JobId id);
  [[nodiscard]] bool has_place(JobId id);
  void leave_place(JobId id);
  void requeue(JobId id);
  void end(JobId id, bool well);
  void meet(JobId other);
  [[nodiscard]] bool is_met(const Dependency& dependency) const;
  [[nodiscard]] bool can_be_met(const Dependency& dependency) const;

  Cluster& cluster_;
  Alarms& alarms_;
  const PriorityBooks& priorities_;
  std::unordered_map<JobId, std::vector<Dependent>> dependents_;  // of a job: who waits for it
  std::unordered_map<JobId, Places> places_;                      // by array
};

}  // namespace stockout::slurm
