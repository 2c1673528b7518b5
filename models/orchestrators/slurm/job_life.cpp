#include "models/orchestrators/slurm/job_life.h"

#include <algorithm>
#include <utility>

#include "sim/core/check.h"

namespace stockout::slurm {

JobId JobLife::submit(const JobRequest& request, std::uint32_t tasks) {
  const auto first = static_cast<JobId>(cluster_.jobs.size());
  for (std::uint32_t task = 0; task < tasks; ++task) add(request, first, task);
  return first;
}

void JobLife::add(const JobRequest& request, JobId array, std::uint32_t task) {
  const auto id = static_cast<JobId>(cluster_.jobs.size());
  cluster_.jobs.push_back({.request = request,
                           .array = request.array.value_or(array),
                           .task = task,
                           .submitted = cluster_.now,
                           .eligible = cluster_.now});
  for (const Dependency& dependency : request.dependencies) wait_for(id, dependency);
  if (cluster_.jobs[id].state == JobState::waiting && cluster_.jobs[id].unmet == 0) queue_up(id);
}

void JobLife::wait_for(JobId id, const Dependency& dependency) {
  STOCKOUT_CHECK(dependency.job < id);
  if (is_met(dependency)) return;
  if (!can_be_met(dependency)) {
    cluster_.jobs[id].state = JobState::held;
    return;
  }
  ++cluster_.jobs[id].unmet;
  dependents_[dependency.job].push_back({.job = id, .kind = dependency.kind});
}

bool JobLife::is_met(const Dependency& dependency) const {
  const Job& other = cluster_.jobs[dependency.job];
  const bool has_ended = other.state == JobState::ended;
  switch (dependency.kind) {
    case DependencyKind::after:
      return has_ended || !other.run.nodes.empty();
    case DependencyKind::after_any:
      return has_ended;
    case DependencyKind::after_ok:
      return has_ended && other.run.ended_well;
    case DependencyKind::after_not:
      return has_ended && !other.run.ended_well;
  }
  return false;
}

bool JobLife::can_be_met(const Dependency& dependency) const {
  return cluster_.jobs[dependency.job].state != JobState::ended || is_met(dependency);
}

// What waits for the other job is looked at again.
void JobLife::meet(JobId other) {
  const auto found = dependents_.find(other);
  if (found == dependents_.end()) return;
  const auto is_settled = [&](const Dependent& dependent) {
    const Dependency dependency{.kind = dependent.kind, .job = other};
    Job& job = cluster_.jobs[dependent.job];
    if (!can_be_met(dependency)) {
      if (job.state == JobState::waiting) job.state = JobState::held;
      return true;
    }
    if (!is_met(dependency)) return false;
    if (--job.unmet == 0 && job.state == JobState::waiting) queue_up(dependent.job);
    return true;
  };
  std::erase_if(found->second, is_settled);
  if (found->second.empty()) dependents_.erase(found);
}

void JobLife::queue_up(JobId id) {
  Job& job = cluster_.jobs[id];
  job.eligible = std::max(job.eligible, cluster_.now);
  if (has_place(id)) enter_queue(id);
}

// Without one it stands in line.
bool JobLife::has_place(JobId id) {
  Job& job = cluster_.jobs[id];
  if (job.request.tasks_at_once == 0 || job.has_place) return true;
  Places& places = places_[job.array];
  job.has_place = places.taken < job.request.tasks_at_once;
  if (job.has_place) {
    ++places.taken;
  } else {
    places.line.push_back(id);
  }
  return job.has_place;
}

// The next one takes it who still waits.
void JobLife::leave_place(JobId id) {
  if (!std::exchange(cluster_.jobs[id].has_place, false)) return;
  Places& places = places_.at(cluster_.jobs[id].array);
  --places.taken;
  while (!places.line.empty()) {
    const JobId next = places.line.front();
    places.line.pop_front();
    if (cluster_.jobs[next].state != JobState::waiting) continue;
    if (has_place(next)) enter_queue(next);
    return;
  }
}

void JobLife::enter_queue(JobId id) {
  Job& job = cluster_.jobs[id];
  job.queued = cluster_.now;
  job.priorities.clear();
  for (const PartitionIndex partition : job.request.partitions) {
    job.priorities.push_back(priorities_.of(job, partition));
  }
  const bool is_held = job.request.priority && *job.request.priority == 0;
  if (is_held) {
    job.state = JobState::held;
  } else {
    cluster_.enqueue(id);
  }
}

void JobLife::become_eligible(JobId id) {
  if (cluster_.jobs[id].state == JobState::waiting && cluster_.jobs[id].unmet == 0) queue_up(id);
}

void JobLife::finish(JobId id, bool well) {
  STOCKOUT_CHECK(!cluster_.jobs[id].run.nodes.empty());
  cluster_.free_nodes(id);
  end(id, well);
}

void JobLife::end(JobId id, bool well) {
  Job& job = cluster_.jobs[id];
  job.state = JobState::ended;
  job.run.ended_well = well;
  cluster_.has_changed();
  leave_place(id);
  meet(id);
}

void JobLife::stopped(JobId id) {
  Job& job = cluster_.jobs[id];
  STOCKOUT_CHECK(job.state == JobState::leaving);
  if (!job.run.will_requeue) return finish(id, false);
  cluster_.free_nodes(id);
  requeue(id);
}

void JobLife::requeue(JobId id) {
  Job& job = cluster_.jobs[id];
  job.run.will_requeue = false;
  job.state = JobState::waiting;
  job.submitted = cluster_.now;
  leave_place(id);
  job.eligible = cluster_.second() + cluster_.settings().requeue_delay;
  alarms_.set({.at = job.eligible, .kind = Alarm::Kind::eligible, .subject = id, .since = job.submitted});
}

void JobLife::cancel(JobId id) {
  Job& job = cluster_.jobs[id];
  if (job.state == JobState::ended) return;
  if (job.state == JobState::pending) cluster_.dequeue(id);
  if (!job.run.nodes.empty()) cluster_.free_nodes(id);
  end(id, false);
}

void JobLife::lose_nodes(JobId id) {
  Job& job = cluster_.jobs[id];
  const bool returns = job.request.requeue && job.request.batch;
  cluster_.free_nodes(id);
  cluster_.tell(returns ? Event::Kind::requeued : Event::Kind::failed, id);
  if (returns) {
    requeue(id);
  } else {
    end(id, false);
  }
}

}  // namespace stockout::slurm
