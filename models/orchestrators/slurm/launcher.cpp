#include "models/orchestrators/slurm/launcher.h"

#include <algorithm>
#include <utility>

#include "models/orchestrators/slurm/preemption.h"

namespace stockout::slurm {
namespace {

constexpr SimDuration kMessageTimeout = std::chrono::seconds{10};
// How often since its start Slurm looks at time limits, and whether nodes of jobs are up.
constexpr SimDuration kLook = std::chrono::seconds{30};

}  // namespace

bool Launcher::try_start(JobId id, PartitionIndex partition, const NodeSet& among) {
  if (auto nodes = cluster_.room_for(cluster_.jobs[id], partition, among)) {
    start(id, partition, std::move(*nodes), cluster_.second());
    return true;
  }
  preempt(id, partition, among);
  return false;
}

void Launcher::start(JobId id, PartitionIndex partition, std::vector<NodeIndex> nodes, SimTime at) {
  cluster_.hold_nodes(id, partition, std::move(nodes), at);
  const Job& job = cluster_.jobs[id];
  const bool is_up = std::none_of(job.run.nodes.begin(), job.run.nodes.end(),
                                  [&](NodeIndex node) { return cluster_.nodes.off.contains(node); });
  if (is_up) return run(id, at);
  cluster_.jobs[id].state = JobState::configuring;
  cluster_.tell(Event::Kind::configuring, id);
}

void Launcher::run(JobId id, SimTime at) {
  Job& job = cluster_.jobs[id];
  job.state = JobState::running;
  job.run.started = at;
  cluster_.set_expected_end(id, at + cluster_.limit_of(job, job.run.partition));
  alarms_.set({.at = next_look(job.run.expected_end + SimDuration{1}),
               .kind = Alarm::Kind::time_limit,
               .subject = id,
               .since = at});
  cluster_.tell(Event::Kind::started, id);
}

// srun and salloc look by themselves.
void Launcher::run_when_seen(JobId id) {
  const Job& job = cluster_.jobs[id];
  const bool waits = job.request.batch && cluster_.settings().main.starts_at_looks;
  const SimTime at = waits ? next_look(cluster_.now) : cluster_.now;
  if (at == cluster_.now) return run(id, cluster_.second());
  alarms_.set({.at = at, .kind = Alarm::Kind::configured, .subject = id, .since = job.run.started});
}

// Textbook schedulers look at once.
SimTime Launcher::next_look(SimTime at) const {
  const Backfill type = cluster_.settings().backfill_type;
  if (type != Backfill::slurm && type != Backfill::none) return at;
  const SimDuration since = at.time_since_epoch() % kLook;
  return since == SimDuration{} ? at : at + (kLook - since);
}

void Launcher::preempt(JobId id, PartitionIndex partition, const NodeSet& among) {
  Job& job = cluster_.jobs[id];
  if (cluster_.now < job.preempts_until) return;
  const auto victims = find_victims(cluster_, id, partition, among);
  if (!victims) return;
  job.preempts_until = cluster_.now + cluster_.settings().preemption.kill_wait + kMessageTimeout;
  alarms_.set(
      {.at = job.preempts_until, .kind = Alarm::Kind::claim_over, .subject = id, .since = cluster_.now});
  for (const JobId other : *victims) {
    Job& victim = cluster_.jobs[other];
    victim.run.will_requeue = preempt_mode_of(cluster_.configuration, victim) == PreemptMode::requeue;
    victim.state = JobState::leaving;
    cluster_.events.push_back(
        {.kind = Event::Kind::preempted, .at = cluster_.now, .job = other, .by = id, .in = partition});
  }
}

}  // namespace stockout::slurm
