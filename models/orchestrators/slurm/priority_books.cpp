#include "models/orchestrators/slurm/priority_books.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stockout::slurm {
namespace {

// The thread that counts begins a moment after that of backfill, so that a cycle of the same second comes
// first.
constexpr SimTime kBegin = kStart + std::chrono::milliseconds{300};

}  // namespace

PriorityBooks::PriorityBooks(Cluster& cluster)
    : cluster_{cluster}, shares_{cluster.configuration.associations}, calculator_{cluster, shares_} {}

bool PriorityBooks::has_work() const {
  const bool is_idle = cluster_.queue.records().empty() && cluster_.running.empty();
  return calculator_.changes() && (is_stale_ || !is_idle);
}

SimTime PriorityBooks::last_due() const {
  if (cluster_.now < kBegin) return {};
  return cluster_.now - (cluster_.now - kBegin) % cluster_.settings().priority.calculation_period;
}

SimTime PriorityBooks::next() const {
  if (!has_work()) return kNever;
  return later(std::max(last_, kBegin), cluster_.settings().priority.calculation_period);
}

std::uint32_t PriorityBooks::of(const Job& job, PartitionIndex partition) const {
  return calculator_.of(job, partition, cluster_.round_down(last_, std::chrono::seconds{1}));
}

// Slurm multiplies by 1 - 0.693/half life for each second, which is not quite 2^(-1/half life).
double PriorityBooks::kept_after(double seconds) const {
  const double half_life = in_seconds(cluster_.settings().priority.half_life);
  return half_life > 0 ? std::pow(1 - 0.693 / half_life, seconds) : 1;
}

// Where nothing was to do for a while, all of it is made up for at once.
void PriorityBooks::update() {
  const SimTime due = last_due();
  if (!calculator_.changes() || due <= last_) return;
  shares_.decay(kept_after(in_seconds(due - last_)));
  std::vector<JobId> running;
  for (const auto& [end, id] : cluster_.running) running.push_back(id);
  std::ranges::sort(running);  // Slurm's list of jobs: users may be equal but for the order of a sum
  for (const JobId id : running) charge_until(due, id);
  shares_.rank();
  last_ = due;
  is_stale_ = false;
  if (cluster_.queue.records().empty()) return;
  cluster_.reorder([&](Job& job) {
    for (std::size_t i = 0; i < job.priorities.size(); ++i) {
      job.priorities[i] = of(job, job.request.partitions[i]);
    }
  });
}

void PriorityBooks::charge(JobId id) {
  if (!cluster_.settings().priority.charges_at_end) return;
  charge_until(cluster_.now, id);
  is_stale_ = true;
}

// Slurm knows whole seconds, and lets the time of one slice decay as if all of it was as old as its
// beginning.
void PriorityBooks::charge_until(SimTime end, JobId id) {
  const Job& job = cluster_.jobs[id];
  if (!job.request.user || job.state == JobState::configuring) return;
  const SimDuration second = std::chrono::seconds{1};
  const SimTime begin = std::max(job.run.started, cluster_.round_down(last_, second));
  const double used = in_seconds(cluster_.round_down(end, second) - begin);
  if (used <= 0) return;
  const Shape shape = cluster_.shape_of(job, job.run.partition);
  double cpus = 0;
  for (const NodeIndex node : job.run.nodes) {
    cpus += shape.whole ? cluster_.configuration.nodes[node].cpus : shape.least_cpus();
  }
  const double factor = job.request.qos ? cluster_.configuration.qos[*job.request.qos].usage_factor : 1;
  shares_.use(*job.request.user, used * kept_after(used) * cpus * factor);
}

}  // namespace stockout::slurm
