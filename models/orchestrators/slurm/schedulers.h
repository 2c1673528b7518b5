#pragma once

#include <cstdint>

#include "models/orchestrators/slurm/backfill.h"
#include "models/orchestrators/slurm/clockwork.h"
#include "models/orchestrators/slurm/cluster.h"
#include "models/orchestrators/slurm/conservative.h"
#include "models/orchestrators/slurm/launcher.h"
#include "models/orchestrators/slurm/main_scheduler.h"
#include "models/orchestrators/slurm/textbook.h"

namespace stockout::slurm {

/// The schedulers of a cluster, and whose turn it is.
class Schedulers {
 public:
  Schedulers(Cluster& cluster, Launcher& launcher);

  /// Something happened that may let a job start.
  void ask() { clockwork_.ask(cluster_.now); }
  /// A job has left its nodes; `killed`: not by itself.
  void job_has_ended(bool killed);
  /// A job that is not a batch job has come: it starts if nobody goes before it and there is room in one of
  /// its partitions.
  void try_at_once(JobId id);
  /// When one of them has work; kNever: not before something happens.
  [[nodiscard]] SimTime next() const;
  /// One that is due works. Whether there was one.
  [[nodiscard]] bool work();

 private:
  [[nodiscard]] bool is_textbook() const;
  [[nodiscard]] SimTime next_backfill() const;
  [[nodiscard]] bool work_by_the_book();
  // Whether somebody who waits goes before a job that has come.
  [[nodiscard]] bool is_held_back(const QueueRecord& own) const;

  Cluster& cluster_;
  Launcher& launcher_;
  Clockwork clockwork_;
  MainScheduler main_;
  bool is_at_end_ = false;  // a job has ended, and the main scheduler looks at once
  BackfillScheduler backfill_;
  TextbookScheduler textbook_;
  ConservativeScheduler conservative_;
  std::uint64_t seen_changes_ = 0;  // of the cluster, when a textbook scheduler last looked
};

}  // namespace stockout::slurm
