#include "models/orchestrators/slurm_orchestrator.h"

#include <algorithm>
#include <variant>

#include "sim/core/check.h"

namespace stockout {
namespace {

using slurm::PartitionIndex;

constexpr Token kSlurmDue{0};   // something falls due in Slurm
constexpr Token kNodesUp{1};    // nodes are up
constexpr Token kNodesBack{2};  // nodes that were DOWN may be used again

// Slurm's clock begins with the run.
slurm::Configuration configuration_for(const World& world) {
  slurm::Configuration configuration = world.slurm->configuration;
  configuration.settings.epoch = world.start_date.time_since_epoch() + (world.begin - kStart);
  return configuration;
}

bool states_estimates(const Source& source) {
  const auto* trace = std::get_if<TraceDemand>(&source.demand);
  return trace != nullptr && !trace->jobs->estimate.empty();
}

bool could_ask(const Leg& leg, const Job& job) {
  const auto& candidates = leg.candidates[index(job.shape)];
  const std::int32_t most = leg.policy.machines_max;
  return leg.open_to(job.job_class) && std::ranges::any_of(candidates, [&](const Candidate& each) {
           return most == 0 || each.machines() <= most;
         });
}

bool holds_nodes(slurm::JobState state) {
  return state == slurm::JobState::configuring || state == slurm::JobState::running;
}

Eviction eviction_of(const slurm::Slurm& slurm, const slurm::Event& event) {
  const slurm::Run& victim = slurm.job(event.job).run;
  const auto& partitions = slurm.configuration().partitions;
  return {.queue = partitions[victim.partition].name,
          .reason = victim.will_requeue ? "REQUEUE" : "CANCEL",
          .by = partitions[event.in].name};
}

}  // namespace

SlurmOrchestrator::SlurmOrchestrator(const World& world, const Strategy& strategy)
    : world_{world},
      strategy_{strategy},
      slurm_{configuration_for(world)},
      nodes_{*world.slurm},
      numbers_{world} {
  for (const Leg& leg : strategy.legs) partitions_.push_back(world.slurm->partition_of(leg.partition));
}

bool SlurmOrchestrator::is_asked_for(const World& world, const Strategy& strategy) {
  return world.slurm.has_value() &&
         std::ranges::any_of(strategy.legs, [](const Leg& leg) { return !leg.partition.empty(); });
}

std::vector<PartitionIndex> SlurmOrchestrator::partitions_of(const Job& job) const {
  std::vector<PartitionIndex> partitions;
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    if (could_ask(strategy_.legs[i], job)) partitions.push_back(partitions_[i]);
  }
  return partitions;
}

std::uint16_t SlurmOrchestrator::leg_of(PartitionIndex partition) const {
  return static_cast<std::uint16_t>(1U << (std::ranges::find(partitions_, partition) - partitions_.begin()));
}

bool SlurmOrchestrator::concerns(const JobView& job) const {
  return !job.is_tenant && !partitions_of(job.job).empty();
}

void SlurmOrchestrator::touch(Clerk& clerk) {
  record_.pass(slurm_, clerk.now());
  slurm_.advance(by_slurm(clerk.now()));
  is_due_ = true;
}

bool SlurmOrchestrator::may_try(const JobView& job, Clerk& clerk) {
  touch(clerk);
  auto found = entries_.find(job.number);
  if (found == entries_.end()) {
    found = entries_.emplace(job.number, submit(job)).first;
  } else {
    comes_back(found->second);
    back_.push_back(job.number);
  }
  const slurm::JobId id = found->second.id;
  record_.begin(id, {.job = job.number,
                     .put_off = by_run(slurm_.job(id).eligible),
                     .is_hopeless = !slurm_.could_ever_run(id),
                     .again = job.was_granted,
                     .is_queued = slurm_.job(id).state == slurm::JobState::pending});
  return false;
}

// One that was told to stop may have been given nodes again meanwhile.
void SlurmOrchestrator::comes_back(Entry& entry) {
  const bool was_stopping = std::exchange(entry.stage, Stage::pending) == Stage::stopping;
  if (slurm_.job(entry.id).state == slurm::JobState::leaving) return slurm_.stopped(entry.id);
  if (!was_stopping) lose_nodes(entry);
}

SlurmOrchestrator::Entry SlurmOrchestrator::submit(const JobView& job) {
  const Job& of = job.job;
  const bool is_limit = states_estimates(world_.sources[index(of.source)]);
  slurm::JobRequest request = world_.slurm->request_of(of, world_.shapes[index(of.shape)],
                                                       is_limit ? of.estimate : kForever, partitions_of(of));
  numbers_.add_links(request, of);
  const slurm::JobId id = slurm_.submit(request);
  numbers_.came(job, id);
  return {.ticket = job.ticket, .id = id};
}

// Machines of the job are gone, or could not be had: it waits again. Nodes that exist for a job alone are
// DOWN with them.
void SlurmOrchestrator::lose_nodes(const Entry& entry) {
  const slurm::Job& own = slurm_.job(entry.id);
  if (!holds_nodes(own.state)) return;
  const std::vector<slurm::NodeIndex> nodes = own.run.nodes;
  if (!nodes_.is_elastic(nodes.front())) return slurm_.requeue(entry.id);
  for (const slurm::NodeIndex node : nodes) slurm_.node_is_down(node);
}

bool SlurmOrchestrator::tries_again(const JobView& job, Clerk& clerk) {
  const auto found = entries_.find(job.number);
  if (found == entries_.end()) return false;
  Entry& entry = found->second;
  if (entry.stage != Stage::gone_on || entry.has_machines) return false;
  touch(clerk);
  entry.stage = Stage::stopping;
  lose_nodes(entry);
  return true;
}

void SlurmOrchestrator::heard(const News& news, Clerk& clerk) {
  const auto found = entries_.find(news.job.number);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  switch (news.kind) {
    case News::Kind::granted:
      ++entry.leases;
      entry.has_machines = true;
      return;
    case News::Kind::starts:
      return starts(news.job.number, entry, news.works, clerk);
    case News::Kind::ended:
      if (--entry.leases == 0) ready_.erase({std::exchange(entry.works, kNever), news.job.number});
      return;
    case News::Kind::final:
      touch(clerk);
      record_.end(slurm_, entry.id);
      ready_.erase({entry.works, news.job.number});
      leave(entry, news.state == FinalState::completed);
      entries_.erase(found);
      return;
    default:
      return;
  }
}

void SlurmOrchestrator::starts(std::uint64_t job, Entry& entry, SimTime works, Clerk& clerk) {
  if (slurm_.job(entry.id).state != slurm::JobState::configuring) return;
  ready_.erase({std::exchange(entry.works, works), job});
  ready_.emplace(works, job);
  clerk.wake(works, kNodesUp);
}

// Nodes on their way up that nobody waits for any more are switched off as if they had come.
void SlurmOrchestrator::leave(const Entry& entry, bool well) {
  const slurm::Job& own = slurm_.job(entry.id);
  const std::vector<slurm::NodeIndex> nodes = own.run.nodes;
  if (own.state == slurm::JobState::running) return slurm_.finish(entry.id, well);
  slurm_.cancel(entry.id);
  for (const slurm::NodeIndex node : nodes) slurm_.node_is_up(node);
}

void SlurmOrchestrator::timer(Token token, Clerk& clerk) {
  touch(clerk);
  if (token == kSlurmDue) wakes_.erase(clerk.now());
  if (token == kNodesUp) come_up(clerk.now());
  if (token != kNodesBack) return;
  while (const auto node = nodes_.take_back(clerk.now())) slurm_.restore_node(*node);
}

void SlurmOrchestrator::come_up(SimTime now) {
  while (!ready_.empty() && ready_.begin()->first <= now) {
    const std::vector<slurm::NodeIndex> nodes = slurm_.job(entries_.at(ready_.begin()->second).id).run.nodes;
    for (const slurm::NodeIndex node : nodes) slurm_.node_is_up(node);
    ready_.erase(ready_.begin());
  }
}

void SlurmOrchestrator::turn(Clerk& clerk) {
  is_due_ = false;
  for (const std::uint64_t job : std::exchange(back_, {})) {
    const auto found = entries_.find(job);
    if (found != entries_.end()) static_cast<void>(look_at_pending(found->second, clerk));
  }
  for (bool goes_on = true; goes_on;) {
    slurm_.settle();
    goes_on = false;
    for (const slurm::Event& event : slurm_.take_events()) goes_on = carry_out(event, clerk) || goes_on;
  }
  const auto next = entries_.empty() ? std::nullopt : slurm_.next_due();
  if (next && wakes_.insert(by_run(*next)).second) clerk.wake(by_run(*next), kSlurmDue);
}

// True if Slurm has something to do after it.
bool SlurmOrchestrator::carry_out(const slurm::Event& event, Clerk& clerk) {
  using Kind = slurm::Event::Kind;
  if (event.kind == Kind::power_up) nodes_.asked_up(event.node, by_run(event.at));
  if (event.kind == Kind::node_down) goes_down(event.node, by_run(event.at), clerk);
  if (event.kind == Kind::power_up || event.kind == Kind::power_down || event.kind == Kind::node_down)
    return false;
  const auto found = entries_.find(numbers_.job_of(event.job));
  if (found == entries_.end()) return false;
  Entry& entry = found->second;
  if (entry.stage == Stage::pending) return look_at_pending(entry, clerk);
  if (entry.stage == Stage::stopping) return false;
  const bool is_preempted = event.kind == Kind::preempted;
  if (is_preempted) record_.gave_way(found->first, numbers_.job_of(event.by), eviction_of(slurm_, event));
  if (is_preempted || event.kind == Kind::timed_out) {
    const bool for_good = !slurm_.job(entry.id).run.will_requeue;
    if (for_good) record_.ended(found->first, is_preempted ? SlurmEnd::preempted : SlurmEnd::timed_out);
    stop(entry, for_good, clerk);
  }
  if (event.kind == Kind::requeued) stop(entry, /*for_good=*/false, clerk);
  return false;
}

void SlurmOrchestrator::goes_down(slurm::NodeIndex node, SimTime at, Clerk& clerk) {
  clerk.wake(std::max(nodes_.goes_down(node, at), clerk.now()), kNodesBack);
}

void SlurmOrchestrator::stop(Entry& entry, bool for_good, Clerk& clerk) {
  entry.stage = Stage::stopping;
  for_good ? clerk.fail(entry.ticket) : clerk.suspend(entry.ticket);
}

// Acts on a pending job.
bool SlurmOrchestrator::look_at_pending(Entry& entry, Clerk& clerk) {
  const slurm::Job& own = slurm_.job(entry.id);
  if (own.state == slurm::JobState::leaving) {
    slurm_.stopped(entry.id);
    record_.put_off(slurm_, entry.id, by_run(own.eligible));
    return true;
  }
  if (own.state == slurm::JobState::ended) {
    entry.stage = Stage::stopping;
    clerk.fail(entry.ticket);
    return false;
  }
  if (!holds_nodes(own.state)) return false;
  entry.stage = Stage::gone_on;
  entry.has_machines = false;
  record_.end(slurm_, entry.id);
  clerk.open_legs(entry.ticket, leg_of(own.run.partition));
  clerk.admit(entry.ticket);
  return false;
}

void SlurmOrchestrator::check() const {
  for (const auto& [job, entry] : entries_) {
    const bool has_nodes = holds_nodes(slurm_.job(entry.id).state);
    STOCKOUT_CHECK(entry.leases == 0, "a lease of a job that is open has not ended");
    STOCKOUT_CHECK(entry.stage != Stage::pending || !has_nodes, "a pending job has nodes of Slurm's");
    STOCKOUT_CHECK(entry.stage != Stage::gone_on || has_nodes, "a job that went on has no nodes of Slurm's");
  }
}

}  // namespace stockout
