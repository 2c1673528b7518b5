#include "models/orchestrators/slurm/slurm.h"

#include <algorithm>
#include <utility>

#include "sim/core/check.h"

namespace stockout::slurm {

Slurm::Slurm(Configuration configuration) : cluster_{std::move(configuration)} {}

JobId Slurm::submit(const JobRequest& request) {
  const JobId id = jobs_.submit(request, 1);
  if (!request.batch) schedulers_.try_at_once(id);
  follow_starts();
  schedulers_.ask();
  return id;
}

JobId Slurm::submit_array(const JobRequest& request, std::uint32_t tasks) {
  STOCKOUT_CHECK(tasks > 0);
  schedulers_.ask();
  return jobs_.submit(request, tasks);
}

// It still holds its nodes. `killed`: steps of it were running, and all nodes tell when they have ended.
void Slurm::leave(JobId id, bool killed) {
  priorities_.charge(id);
  schedulers_.job_has_ended(killed);
}

void Slurm::finish(JobId id, bool well) {
  leave(id, false);
  const std::vector<NodeIndex> nodes = job(id).run.nodes;
  jobs_.finish(id, well);
  power_.left(nodes);
}

void Slurm::stopped(JobId id) {
  leave(id, true);
  const std::vector<NodeIndex> nodes = job(id).run.nodes;
  jobs_.stopped(id);
  power_.left(nodes);
}

void Slurm::requeue(JobId id) {
  leave(id, true);
  const std::vector<NodeIndex> nodes = job(id).run.nodes;
  jobs_.lose_nodes(id);
  power_.left(nodes);
}

void Slurm::cancel(JobId id) {
  leave(id, true);
  const std::vector<NodeIndex> nodes = job(id).run.nodes;
  jobs_.cancel(id);
  power_.left(nodes);
}

void Slurm::node_is_up(NodeIndex node) {
  power_.came_up(node);
  follow_starts();
  schedulers_.ask();
}

void Slurm::node_is_down(NodeIndex node, SimTime back) {
  for (const JobId id : cluster_.nodes.jobs_on[node]) priorities_.charge(id);
  power_.set_down(node, back);
  schedulers_.ask();
}

void Slurm::restore_node(NodeIndex node) {
  power_.restore(node);
  schedulers_.ask();
}

std::optional<SimTime> Slurm::next_due() const {
  const SimTime alarm = alarms_.next().value_or(kNever);
  const SimTime due = std::min({alarm, schedulers_.next(), priorities_.next()});
  return due == kNever ? std::nullopt : std::optional{std::max(due, cluster_.now)};
}

void Slurm::advance(SimTime at) {
  STOCKOUT_CHECK(at >= cluster_.now);
  while (alarms_.next().value_or(kNever) <= at) {
    cluster_.now = std::max(cluster_.now, *alarms_.next());
    while (const auto alarm = alarms_.take(cluster_.now)) ring(*alarm);
  }
  cluster_.now = at;
  priorities_.update();
  follow_starts();
}

bool Slurm::could_ever_run(JobId id) const {
  return std::ranges::any_of(job(id).request.partitions, [&](PartitionIndex partition) {
    return cluster_.could_run_in(job(id), partition);
  });
}

void Slurm::ring(const Alarm& alarm) {
  if (alarm.kind == Alarm::Kind::eligible) {
    if (job(alarm.subject).submitted == alarm.since) jobs_.become_eligible(alarm.subject);
  } else if (alarm.kind == Alarm::Kind::time_limit) {
    Job& job = cluster_.jobs[alarm.subject];
    if (job.state != JobState::running || job.run.started != alarm.since) return;
    job.state = JobState::leaving;
    cluster_.tell(Event::Kind::timed_out, alarm.subject);
  } else if (alarm.kind == Alarm::Kind::configured) {
    const Job& job = cluster_.jobs[alarm.subject];
    if (job.state == JobState::configuring && job.run.started == alarm.since)
      launcher_.run(alarm.subject, cluster_.second());
  } else if (alarm.kind == Alarm::Kind::claim_over) {
    cluster_.has_changed();
  } else {
    power_.ring(alarm);
  }
}

void Slurm::settle() {
  while (schedulers_.work()) follow_starts();
}

void Slurm::follow_starts() {
  followed_ = std::min(followed_, cluster_.events.size());
  for (; followed_ < cluster_.events.size(); ++followed_) {
    const Event event = cluster_.events[followed_];
    const bool is_configuring = event.kind == Event::Kind::configuring;
    if (is_configuring || event.kind == Event::Kind::started) jobs_.has_started(event.job);
    if (is_configuring) power_.power_up_for(event.job);
  }
}

}  // namespace stockout::slurm
