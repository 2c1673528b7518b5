#include "models/orchestrators/slurm/priority_books.h"

#include <algorithm>

namespace stockout::slurm {
PriorityBooks::PriorityBooks(Cluster& cluster)
    : cluster_{cluster}, shares_{cluster.configuration.associations}, calculator_{cluster, shares_} {}

bool PriorityBooks::has_work() const {
  return calculator_.changes() && !(cluster_.queue.records().empty() && cluster_.running.empty());
}

SimTime PriorityBooks::next() const {
  return has_work() ? last_ + cluster_.settings().priority.calculation_period : kNever;
}

void PriorityBooks::update() {
  const PriorityParameters& parameters = cluster_.settings().priority;
  if (!has_work() || cluster_.now < last_ + parameters.calculation_period) return;
  for (const auto& [end, id] : cluster_.running) charge(id);
  shares_.decay(in_seconds(cluster_.now - last_), in_seconds(parameters.half_life));
  shares_.rank();
  last_ = cluster_.now;
  cluster_.reorder([&](Job& job) {
    for (std::size_t i = 0; i < job.priorities.size(); ++i) {
      job.priorities[i] = calculator_.of(job, job.request.partitions[i]);
    }
  });
}

void PriorityBooks::charge(JobId id) {
  const Job& job = cluster_.jobs[id];
  if (!job.request.user || job.state == JobState::configuring) return;
  const double used = in_seconds(cluster_.now - std::max(job.run.started, last_));
  if (used <= 0) return;
  const Shape shape = cluster_.shape_of(job, job.run.partition);
  double cpus = 0;
  for (const NodeIndex node : job.run.nodes) {
    cpus += shape.whole ? cluster_.configuration.nodes[node].cpus : shape.least_cpus();
  }
  const double factor = job.request.qos ? cluster_.configuration.qos[*job.request.qos].usage_factor : 1;
  shares_.use(*job.request.user, used * cpus * factor);
}

}  // namespace stockout::slurm
