#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "tests/support/reference/run.h"

// Section 18: Slurm. What it decides is asked of its library; when jobs come to it and what they do at its
// word is here.
namespace stockout::reference {

namespace {

bool has_nodes(const slurm::Job& job) {
  return job.state == slurm::JobState::configuring || job.state == slurm::JobState::running;
}

}  // namespace

/// R18.4.
void Run::set_up_slurm() {
  slurm::Configuration configuration = world_.slurm->configuration;
  configuration.settings.epoch = world_.start_date.time_since_epoch() - (kStart - world_.begin);
  slurm_.emplace(std::move(configuration));
  power_asked_.assign(world_.slurm->configuration.nodes.size(), SimTime::min());
}

SimTime Run::slurm_time() const { return kStart + (now_ - world_.begin); }

/// R18.1.
std::vector<slurm::PartitionIndex> Run::partitions_for(const JobState& job) const {
  std::vector<slurm::PartitionIndex> found;
  if (!slurm_ || !job.recorded) return found;
  const auto& all = world_.slurm->configuration.partitions;
  for (const Leg& leg : strategy_.legs) {
    if (!leg.open_to(job.job.job_class)) continue;
    bool has_place = false;
    for (const Candidate& candidate : leg.candidates[index(job.job.shape)])
      has_place = has_place || !has_too_many_machines(leg, candidate);
    for (slurm::PartitionIndex p = 0; has_place && p < all.size(); ++p) {
      if (all[p].name == leg.partition) found.push_back(p);
    }
  }
  return found;
}

/// R18.3.
slurm::JobRequest Run::slurm_request(const JobState& job) const {
  const Shape& shape = world_.shapes[index(job.job.shape)];
  slurm::JobRequest request;
  request.partitions = partitions_for(job);
  request.size.nodes = shape.tail_gpus > 0 ? shape.nodes + 1 : shape.nodes;
  request.size.cpus_per_node = request.size.gpus_per_node = shape.gpus_per_node;
  const Demand& demand = world_.sources[index(job.job.source)].demand;
  if (std::holds_alternative<TraceDemand>(demand) && !std::get<TraceDemand>(demand).jobs->estimate.empty())
    request.time_limit = job.job.estimate;
  link_at_slurm(request, job);
  for (const SlurmOptions& options : world_.slurm->options) {
    if (!options.jobs.has(job.job.job_class, job.job.user)) continue;
    request.time_limit = options.time_limit.value_or(request.time_limit);
    request.qos = options.qos;
    if (!options.associations.empty()) request.user = options.associations[index(job.job.user)];
    break;
  }
  return request;
}

/// R18.16.
std::vector<JobLink> Run::links_of(const JobState& job) const {
  std::vector<JobLink> own;
  const auto* trace = std::get_if<TraceDemand>(&world_.sources[index(job.job.source)].demand);
  if (trace == nullptr || trace->resampled) return own;
  std::ranges::copy_if(trace->jobs->links, std::back_inserter(own),
                       [&](const JobLink& link) { return link.row == job.job.row; });
  return own;
}

/// R18.16: Jobs that have come before.
void Run::link_at_slurm(slurm::JobRequest& request, const JobState& job) const {
  const std::map<JobLink::Kind, slurm::DependencyKind> kinds{
      {JobLink::Kind::after, slurm::DependencyKind::after},
      {JobLink::Kind::after_any, slurm::DependencyKind::after_any},
      {JobLink::Kind::after_ok, slurm::DependencyKind::after_ok},
      {JobLink::Kind::after_not, slurm::DependencyKind::after_not}};
  for (const JobLink& link : links_of(job)) {
    if (link.kind == JobLink::Kind::task_of) request.tasks_at_once = link.at_once;
    for (const JobState& other : jobs_) {
      if (other.job.source != job.job.source || !other.slurm_id) continue;
      if (link.kind != JobLink::Kind::task_of) {
        if (other.job.row == link.on)
          request.dependencies.push_back({.kind = kinds.at(link.kind), .job = *other.slurm_id});
        continue;
      }
      const bool is_of_array = std::ranges::any_of(links_of(other), [&](const JobLink& its) {
        return its.kind == JobLink::Kind::task_of && its.on == link.on;
      });
      if (is_of_array) request.array = std::min(request.array.value_or(*other.slurm_id), *other.slurm_id);
    }
  }
}

/// R18.5: Time comes first.
void Run::tell_slurm() {
  count_slurm_time(now_);
  slurm_->advance(slurm_time());
  slurm_is_due_ = true;
}

/// R18.2: The job is about to begin an attempt.
bool Run::stops_at_slurm(JobState& job) {
  if (partitions_for(job).empty()) return false;
  tell_slurm();
  job.step.due = job.patience = Due{};
  job.queues = false;
  job.slurm_since = now_;
  if (!job.slurm_id) {
    note("slurm: submitted");
    job.slurm_id = slurm_->submit(slurm_request(job));
    return true;
  }
  note("slurm: came back");
  if (slurm_->job(*job.slurm_id).state == slurm::JobState::leaving) {
    slurm_->stopped(*job.slurm_id);
  } else if (!job.is_stopping) {
    lose_nodes(job);
  }
  job.has_gone_on = job.is_stopping = false;
  pending_again_.push_back(&job);
  return true;
}

/// R18.6.
void Run::lose_nodes(JobState& job) {
  const slurm::Job& own = slurm_->job(*job.slurm_id);
  if (!has_nodes(own)) return;
  const std::vector<slurm::NodeIndex> nodes = own.run.nodes;
  if (!world_.slurm->configuration.nodes[nodes.front()].cloud) {
    note("slurm: static nodes lost");
    slurm_->requeue(*job.slurm_id);
    return;
  }
  note("slurm: elastic nodes lost");
  for (const slurm::NodeIndex node : nodes) slurm_->node_is_down(node);
}

/// R18.8.
void Run::nodes_will_be_up(const Lease& lease) {
  if (!lease.job->slurm_id) return;
  if (slurm_->job(*lease.job->slurm_id).state != slurm::JobState::configuring) return;
  lease.job->nodes_up = set_for(lease.works);
  slurm_instants_.push_back(lease.job->nodes_up);
}

/// R18.10.
bool Run::asks_for_other_nodes(JobState& job) {
  if (!job.slurm_id || !job.has_gone_on || job.is_stopping || job.had_lease_of_slurm) return false;
  note("slurm: no machines");
  tell_slurm();
  job.is_stopping = true;
  lose_nodes(job);
  attempt_again(job);
  return true;
}

/// R18.5.
void Run::leave_slurm(JobState& job, bool well) {
  if (!job.slurm_id) return;
  tell_slurm();
  job.slurm_since = kNever;
  job.nodes_up = Due{};
  const slurm::Job own = slurm_->job(*job.slurm_id);
  if (own.state == slurm::JobState::running) return slurm_->finish(*job.slurm_id, well);
  if (own.state == slurm::JobState::configuring) note("slurm: cancelled while configuring");
  slurm_->cancel(*job.slurm_id);
  for (const slurm::NodeIndex node : own.run.nodes) slurm_->node_is_up(node);
}

/// R18.8: Phase 3, before the steps.
void Run::play_slurm_instants() {
  for (Due& due : slurm_instants_) {
    if (comes_due(due)) tell_slurm();
  }
  std::erase_if(slurm_instants_, [](const Due& due) { return due.at == kNever; });
  for (JobState& job : jobs_) {
    if (!comes_due(job.nodes_up)) continue;
    note("slurm: nodes up");
    const std::vector<slurm::NodeIndex> nodes = slurm_->job(*job.slurm_id).run.nodes;
    for (const slurm::NodeIndex node : nodes) slurm_->node_is_up(node);
  }
  for (std::size_t node = 0; node < nodes_back_.size(); ++node) {
    if (!comes_due(nodes_back_[node])) continue;
    note("slurm: a node returns");
    slurm_->restore_node(static_cast<slurm::NodeIndex>(node));
  }
}

/// R18.9.
void Run::look_at_slurm() {
  while (slurm_is_due_) {
    slurm_turn();
    look_at_quotas();
  }
}

void Run::slurm_turn() {
  slurm_is_due_ = false;
  std::vector<std::function<void()>> to_do;
  for (JobState* job : std::exchange(pending_again_, {})) {
    if (job->stage != Stage::final) look_at_slurm_orchestrator(*job, to_do);
  }
  bool again = true;
  while (again) {
    again = false;
    slurm_->settle();
    for (const slurm::Event& event : slurm_->take_events()) look_at_event(event, to_do, again);
  }
  const auto is_in_slurm = [](const JobState& job) { return job.slurm_id && job.stage != Stage::final; };
  const auto next = slurm_->next_due();
  if (next && std::ranges::any_of(jobs_, is_in_slurm)) {
    const SimTime at = now_ + (*next - slurm_time());
    const auto is_set = [&](const Due& due) { return due.at == at; };
    if (std::ranges::none_of(slurm_instants_, is_set)) slurm_instants_.push_back(set_for(at));
  }
  for (const auto& action : to_do) action();
}

void Run::look_at_event(const slurm::Event& event, std::vector<std::function<void()>>& to_do, bool& again) {
  using What = slurm::Event::Kind;
  const SimTime at = now_ + (event.at - slurm_time());
  if (event.kind == What::power_up) power_asked_[event.node] = at;
  if (event.kind == What::node_down) node_goes_down(event.node, at);
  if (event.kind == What::power_up || event.kind == What::power_down || event.kind == What::node_down) return;
  const auto job_of = [&](slurm::JobId id) -> JobState& {
    return *std::ranges::find_if(jobs_, [&](const JobState& one) { return one.slurm_id == id; });
  };
  JobState& job = job_of(event.job);
  if (job.stage == Stage::final) return;
  if (!job.has_gone_on) {
    again = look_at_slurm_orchestrator(job, to_do) || again;
    return;
  }
  if (job.is_stopping || event.kind == What::started || event.kind == What::configuring) return;
  if (event.kind == What::preempted) {
    result_.gave_way.push_back({.at = now_, .job = number_of(job), .to = number_of(job_of(event.by))});
    const slurm::Job& victim = slurm_->job(event.job);
    const auto& partitions = world_.slurm->configuration.partitions;
    ++result_.evictions[{.queue = partitions[victim.run.partition].name,
                         .reason = victim.run.will_requeue ? "REQUEUE" : "CANCEL",
                         .by = partitions[event.in].name}];
  }
  job.is_stopping = true;
  const bool returns = event.kind == What::requeued || slurm_->job(event.job).run.will_requeue;
  note(event.kind == What::requeued    ? "slurm: not up in time"
       : event.kind == What::timed_out ? "slurm: time limit"
       : returns                       ? "slurm: preempted, requeued"
                                       : "slurm: preempted for good");
  if (returns) {
    to_do.emplace_back([this, &job] { suspend(job); });
  } else {
    job.slurm_end = event.kind == What::timed_out ? SlurmEnd::timed_out : SlurmEnd::preempted;
    to_do.emplace_back([this, &job] { fail_at_once(job); });
  }
}

void Run::fail_at_once(JobState& job) {
  job.is_failing = true;
  start_over(job);
}

/// R18.7.
void Run::node_goes_down(slurm::NodeIndex node, SimTime at) {
  SimDuration timeout{};
  const slurm::Configuration& all = world_.slurm->configuration;
  for (const slurm::Partition& partition : all.partitions) {
    if (std::ranges::count(partition.nodes, node) > 0)
      timeout = std::max(timeout, partition.power.value_or(all.settings.power).resume_timeout);
  }
  if (power_asked_[node] != SimTime::min()) at = std::max(at, power_asked_[node] + timeout);
  nodes_back_.resize(power_asked_.size());
  nodes_back_[node] = set_for(std::max(now_, at + world_.slurm->sync));
  slurm_instants_.push_back(nodes_back_[node]);
}

/// R18.9: True if the schedulers are to work anew.
bool Run::look_at_slurm_orchestrator(JobState& job, std::vector<std::function<void()>>& to_do) {
  const slurm::Job& own = slurm_->job(*job.slurm_id);
  if (job.has_gone_on) return false;
  if (own.state == slurm::JobState::leaving) {
    note("slurm: started and stopped at once");
    slurm_->stopped(*job.slurm_id);
    return true;
  }
  if (own.state == slurm::JobState::ended) {
    note("slurm: over while pending");
    job.has_gone_on = job.is_stopping = true;
    to_do.emplace_back([this, &job] { make_final(job, FinalState::failed); });
  }
  if (!has_nodes(own)) return false;
  note(own.state == slurm::JobState::running ? "slurm: started" : "slurm: configures");
  job.has_gone_on = true;
  job.had_lease_of_slurm = false;
  job.slurm_since = kNever;
  const std::string& partition = world_.slurm->configuration.partitions[own.run.partition].name;
  job.flavor_legs.clear();
  for (std::size_t l = 0; l < strategy_.legs.size(); ++l) {
    if (strategy_.legs[l].partition == partition) job.flavor_legs.push_back(l);
  }
  to_do.emplace_back([this, &job] { start_at_first_leg(job); });
  return false;
}

/// R18.13.
WaitCause Run::cause_at_slurm(const JobState& job) const {
  const slurm::Job& own = slurm_->job(*job.slurm_id);
  if (own.state == slurm::JobState::held || own.unmet > 0) return WaitCause::held_back;
  if (own.state == slurm::JobState::waiting && own.eligible > slurm_->now()) return WaitCause::back_off;
  const bool is_limited = own.request.tasks_at_once > 0;
  if (is_limited && !own.has_place) return WaitCause::held_back;
  if (own.state != slurm::JobState::pending) return WaitCause::back_off;
  if (!slurm_->could_ever_run(*job.slurm_id)) return WaitCause::capacity;
  for (const slurm::PartitionIndex partition : own.request.partitions) {
    for (const slurm::QueueRecord& record : slurm_->queue().records()) {
      if (record.partition != partition) continue;
      if (record.job == *job.slurm_id) return WaitCause::capacity;
      break;
    }
  }
  return WaitCause::priority;
}

/// R18.13: All is as it was when Slurm was last told something.
void Run::count_slurm_time(SimTime until) {
  const SimDuration length = until - std::exchange(slurm_told_, until);
  if (length <= SimDuration::zero()) return;
  for (JobState& job : jobs_) {
    if (job.slurm_since == kNever) continue;
    const WaitCause cause = cause_at_slurm(job);
    note("slurm: waits for " + std::string{name_of(cause)});
    (job.was_granted ? job.pending_again : job.pending_for)[cause] += length;
  }
}

}  // namespace stockout::reference
