#include "models/orchestrators/slurm/power_save.h"

#include <algorithm>

namespace stockout::slurm {
namespace {

// Added to the weight: nodes that are up are used before those on the way up, and those before nodes that
// are off.
constexpr std::int64_t kPoweringUp = std::int64_t{1} << 40;
constexpr std::int64_t kOff = std::int64_t{1} << 41;

}  // namespace

PowerSaving::PowerSaving(Cluster& cluster, Alarms& alarms, Launcher& launcher, JobLife& jobs)
    : cluster_{cluster},
      alarms_{alarms},
      launcher_{launcher},
      jobs_{jobs},
      states_(cluster.configuration.nodes.size(), State::up),
      since_(cluster.configuration.nodes.size()) {
  for (NodeIndex node = 0; node < states_.size(); ++node) {
    if (cluster_.configuration.nodes[node].cloud) become(node, State::off);
  }
}

void PowerSaving::become(NodeIndex node, State state) {
  states_[node] = state;
  since_[node] = cluster_.now;
  cluster_.has_changed();
  const bool is_usable = state != State::down && state != State::powering_down;
  const bool is_off = state == State::off || state == State::powering_up;
  is_usable ? cluster_.nodes.usable.insert(node) : cluster_.nodes.usable.erase(node);
  is_off ? cluster_.nodes.off.insert(node) : cluster_.nodes.off.erase(node);
  const std::int64_t added = state == State::powering_up ? kPoweringUp : is_off ? kOff : 0;
  cluster_.nodes.weights[node] = cluster_.configuration.nodes[node].weight + added;
}

// Partitions override the cluster; a node in several takes the largest value.
PowerSave PowerSaving::rules_of(NodeIndex node) const {
  const Settings& settings = cluster_.settings();
  std::optional<PowerSave> rules;
  for (std::size_t i = 0; i < cluster_.nodes.of_partition.size(); ++i) {
    if (!cluster_.nodes.of_partition[i].contains(node)) continue;
    const PowerSave own = cluster_.configuration.partitions[i].power.value_or(settings.power);
    if (!rules) rules = own;
    rules->suspend_time = std::max(rules->suspend_time, own.suspend_time);
    rules->suspend_timeout = std::max(rules->suspend_timeout, own.suspend_timeout);
    rules->resume_timeout = std::max(rules->resume_timeout, own.resume_timeout);
  }
  return rules.value_or(settings.power);
}

void PowerSaving::power_up_for(JobId id) {
  for (const NodeIndex node : cluster_.jobs[id].run.nodes) {
    if (states_[node] != State::off) continue;
    become(node, State::powering_up);
    cluster_.tell_node(Event::Kind::power_up, node);
    alarms_.set({.at = cluster_.now + rules_of(node).resume_timeout,
                 .kind = Alarm::Kind::resume_timeout,
                 .subject = node,
                 .since = cluster_.now});
  }
}

void PowerSaving::came_up(NodeIndex node) {
  if (states_[node] != State::powering_up) return;
  become(node, State::up);
  const std::vector<JobId> holders = cluster_.nodes.jobs_on[node];
  for (const JobId id : holders) {
    const Job& job = cluster_.jobs[id];
    const bool is_complete = std::none_of(job.run.nodes.begin(), job.run.nodes.end(),
                                          [&](NodeIndex each) { return cluster_.nodes.off.contains(each); });
    if (job.state == JobState::configuring && is_complete) launcher_.run_when_seen(id);
  }
  if (holders.empty()) left({node});
}

void PowerSaving::left(const std::vector<NodeIndex>& nodes) {
  for (const NodeIndex node : nodes) {
    if (!cluster_.configuration.nodes[node].cloud || states_[node] != State::up) continue;
    if (!cluster_.nodes.jobs_on[node].empty()) continue;
    since_[node] = cluster_.now;
    const auto& partitions = cluster_.configuration.partitions;
    bool at_once = false;
    for (std::size_t i = 0; i < partitions.size(); ++i) {
      at_once =
          at_once || (partitions[i].power_down_on_idle && cluster_.nodes.of_partition[i].contains(node));
    }
    if (at_once) {
      power_down(node);
    } else if (const SimTime at = later(cluster_.now, rules_of(node).suspend_time); at != kNever) {
      alarms_.set({.at = at, .kind = Alarm::Kind::idle, .subject = node, .since = cluster_.now});
    }
  }
}

void PowerSaving::power_down(NodeIndex node) {
  become(node, State::powering_down);
  cluster_.tell_node(Event::Kind::power_down, node);
  alarms_.set({.at = cluster_.now + rules_of(node).suspend_timeout,
               .kind = Alarm::Kind::suspended,
               .subject = node,
               .since = cluster_.now});
}

void PowerSaving::set_down(NodeIndex node, SimTime back) {
  become(node, State::down);
  cluster_.tell_node(Event::Kind::node_down, node);
  const std::vector<JobId> holders = cluster_.nodes.jobs_on[node];
  for (const JobId id : holders) {
    const std::vector<NodeIndex> nodes = cluster_.jobs[id].run.nodes;
    jobs_.lose_nodes(id);
    left(nodes);
  }
  if (back == kNever) return;
  alarms_.set({.at = back, .kind = Alarm::Kind::restored, .subject = node, .since = cluster_.now});
}

void PowerSaving::restore(NodeIndex node) {
  if (states_[node] != State::down) return;
  become(node, cluster_.configuration.nodes[node].cloud ? State::off : State::up);
}

void PowerSaving::ring(const Alarm& alarm) {
  const NodeIndex node = alarm.subject;
  if (since_[node] != alarm.since) return;
  switch (alarm.kind) {
    case Alarm::Kind::resume_timeout:
      if (states_[node] == State::powering_up) set_down(node, kNever);
      return;
    case Alarm::Kind::suspended:
      if (states_[node] == State::powering_down) become(node, State::off);
      return;
    case Alarm::Kind::idle:
      if (states_[node] == State::up && cluster_.nodes.jobs_on[node].empty()) power_down(node);
      return;
    case Alarm::Kind::restored:
      restore(node);
      return;
    case Alarm::Kind::eligible:
    case Alarm::Kind::time_limit:
    case Alarm::Kind::configured:
    case Alarm::Kind::claim_over:
      return;
  }
}

}  // namespace stockout::slurm
