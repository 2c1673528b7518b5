#include "models/orchestrators/slurm/schedulers.h"

#include <algorithm>
#include <iterator>
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
SimTime Schedulers::next_backfill() const {
  if (cluster_.settings().backfill_type != Backfill::slurm) return kNever;
  const SimTime end = cluster_.running.empty() ? kNever : cluster_.running.begin()->first;
  if (end <= cluster_.now) return clockwork_.next_backfill(cluster_.now);
  const SimTime changed = clockwork_.next_backfill(cluster_.changed);
  return end == kNever ? changed : std::min(changed, clockwork_.next_backfill(end));
}

SimTime Schedulers::next() const {
  const bool anybody_waits = !cluster_.queue.records().empty();
  if (is_textbook()) return anybody_waits && seen_changes_ != cluster_.changes ? cluster_.now : kNever;
  if (is_at_end_) return cluster_.now;
  if (!anybody_waits) return clockwork_.asked_for();
  return std::min(clockwork_.next_main_cycle(cluster_.changed), next_backfill());
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
  if (const auto cycle = clockwork_.take_main_cycle(cluster_.now, cluster_.changed);
      cycle != Clockwork::MainCycle::none) {
    main_.cycle(cycle == Clockwork::MainCycle::full);
    return true;
  }
  if (cluster_.queue.records().empty() || next_backfill() > cluster_.now) return false;
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
bool Schedulers::is_held_back(const QueueRecord& own) const {
  const auto& all = cluster_.nodes.of_partition;
  return std::ranges::any_of(cluster_.queue.records(), [&](const QueueRecord& other) {
    if (other.job == own.job || !all[other.partition].overlaps(all[own.partition])) return false;
    return other.tier > own.tier || (other.tier == own.tier && other.priority > own.priority);
  });
}

void Schedulers::try_at_once(JobId id) {
  if (cluster_.jobs[id].state != JobState::pending) return;
  std::vector<QueueRecord> own;
  std::ranges::copy_if(cluster_.queue.records(), std::back_inserter(own),
                       [&](const QueueRecord& record) { return record.job == id; });
  for (const QueueRecord& record : own) {
    if (is_held_back(record)) return;
    NodeSet among = cluster_.nodes.of_partition[record.partition];
    among &= cluster_.nodes.usable;
    if (launcher_.try_start(id, record.partition, among)) return;
  }
}

}  // namespace stockout::slurm
