#include "models/orchestrators/slurm/schedulers.h"

#include <algorithm>
#include <utility>

namespace stockout::slurm {

Schedulers::Schedulers(Cluster& cluster, Launcher& launcher)
    : cluster_{cluster},
      launcher_{launcher},
      clockwork_{cluster.settings()},
      main_{cluster, launcher},
      backfill_{cluster, launcher},
      textbook_{cluster, launcher},
      conservative_{cluster, launcher} {}

bool Schedulers::is_textbook() const {
  const Backfill backfill = cluster_.settings().backfill_type;
  return backfill != Backfill::slurm && backfill != Backfill::none;
}

// Ends that have passed are guessed anew in each cycle, so that its plan differs.
SimTime Schedulers::changed() const {
  const bool is_overdue = !cluster_.running.empty() && cluster_.running.begin()->first < cluster_.now;
  return is_overdue ? cluster_.now : cluster_.changed;
}

SimTime Schedulers::next() const {
  const bool anybody_waits = !cluster_.queue.records().empty();
  if (is_textbook()) return anybody_waits && seen_changes_ != cluster_.changes ? cluster_.now : kNever;
  if (is_at_end_) return cluster_.now;
  if (!anybody_waits) return clockwork_.asked_for();
  const SimTime main = clockwork_.next_main_cycle(cluster_.changed);
  const bool fills = cluster_.settings().backfill_type == Backfill::slurm;
  return fills ? std::min(main, clockwork_.next_backfill(changed())) : main;
}

bool Schedulers::work_by_the_book() {
  if (seen_changes_ == cluster_.changes) return false;
  const Backfill backfill = cluster_.settings().backfill_type;
  if (backfill == Backfill::conservative) {
    conservative_.cycle();
  } else {
    textbook_.easy(backfill == Backfill::easy_by_number);
  }
  seen_changes_ = cluster_.changes;
  return true;
}

bool Schedulers::work() {
  if (next() > cluster_.now) return false;
  if (is_textbook()) return work_by_the_book();
  if (std::exchange(is_at_end_, false)) {
    main_.cycle(false);
    return true;
  }
  if (const auto cycle = clockwork_.take_main_cycle(cluster_.now); cycle != Clockwork::MainCycle::none) {
    main_.cycle(cycle == Clockwork::MainCycle::full);
    return true;
  }
  if (cluster_.settings().backfill_type != Backfill::slurm || cluster_.queue.records().empty()) return false;
  if (clockwork_.next_backfill(changed()) > cluster_.now) return false;
  clockwork_.backfilled(cluster_.now, backfill_.cycle());
  return true;
}

void Schedulers::job_has_ended(bool killed) {
  if (killed || cluster_.settings().main.cycle_at_end) {
    is_at_end_ = true;
  } else {
    ask();
  }
}

// Equals do not go before it, although they came first.
void Schedulers::try_at_once(JobId id) {
  if (cluster_.jobs[id].state != JobState::pending) return;
  const auto& records = cluster_.queue.records();
  const auto own =
      std::find_if(records.begin(), records.end(), [&](const QueueRecord& r) { return r.job == id; });
  if (own == records.end()) return;
  const bool waits = std::any_of(records.begin(), own, [&](const QueueRecord& other) {
    if (other.tier == own->tier && other.priority == own->priority) return false;
    return cluster_.nodes.of_partition[other.partition].overlaps(cluster_.nodes.of_partition[own->partition]);
  });
  if (waits) return;
  NodeSet among = cluster_.nodes.of_partition[own->partition];
  among &= cluster_.nodes.usable;
  const PartitionIndex partition = own->partition;
  if (!launcher_.try_start(id, partition, among)) ask();
}

}  // namespace stockout::slurm
