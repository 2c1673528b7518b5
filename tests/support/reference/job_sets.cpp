#include <algorithm>
#include <set>
#include <utility>

#include "tests/support/reference/run.h"

// Section 14: sets of jobs that work together.
namespace stockout::reference {

/// R14.36.
bool Run::is_in_set(const JobState& job) const {
  return job.recorded && world_.sources[index(job.job.source)].set.has_value();
}

/// R14.36: In order of (source, row) of the first.
void Run::add_sets() {
  std::set<std::pair<SourceId, std::uint64_t>> known;
  for (const JobState& job : jobs_) {
    if (is_in_set(job)) known.emplace(world_.sources[index(job.job.source)].set->first, job.job.row);
  }
  for (const auto& [first, row] : known) sets_.push_back({.first = first, .row = row});
}

const SetState& Run::set_of(const JobState& job) const {
  const SourceId first = world_.sources[index(job.job.source)].set->first;
  return *std::ranges::find_if(
      sets_, [&](const SetState& set) { return set.first == first && set.row == job.job.row; });
}

const JobSetRule& Run::rule_of(const SetState& set) const {
  return world_.sources[index(set.first)].set->rule;
}

/// That have come and are not final.
std::vector<JobState*> Run::open_members(const SetState& set) {
  std::vector<JobState*> members;
  for (JobState& job : jobs_) {
    if (job.stage == Stage::open && is_in_set(job) && &set_of(job) == &set) members.push_back(&job);
  }
  return members;
}

bool Run::has_lost_member(const SetState& set) const {
  return std::ranges::any_of(jobs_, [&](const JobState& job) {
    return job.stage == Stage::final && job.state != FinalState::completed && is_in_set(job) &&
           &set_of(job) == &set;
  });
}

/// R14.38: Its lease that is ready, or works; none: it has no such lease.
Lease* Run::ready_lease(const JobState& job) {
  Lease* lease = lease_of(job);
  return lease != nullptr && lease->ready != kNever ? lease : nullptr;
}

/// R14.39: kNever: it works, or is not whole.
SimTime Run::begins_at(const SetState& set) {
  SimTime last = kNever;
  for (const JobState* job : open_members(set)) {
    const Lease* lease = ready_lease(*job);
    if (lease == nullptr || set.works) return kNever;
    last = last == kNever ? lease->ready : std::max(last, lease->ready);
  }
  return last;
}

/// R14.39: kNever: it works, is whole, or has no lease.
SimTime Run::gives_back_at(const SetState& set) {
  SimTime first = kNever;
  bool is_whole = true;
  for (const JobState* job : open_members(set)) {
    const Lease* lease = ready_lease(*job);
    is_whole = is_whole && lease != nullptr;
    if (lease != nullptr) first = std::min(first, lease->up);
  }
  if (first == kNever || is_whole || set.works) return kNever;
  if (set.restarted != kNever) first = std::max(first, set.restarted);
  return later(first, rule_of(set).hold);
}

/// R14.39: What is to be done with it now.
SetAct Run::next_act(const SetState& set) {
  const std::vector<JobState*> members = open_members(set);
  const auto is_told = [](const JobState* job) { return job->is_failing; };
  const auto stands = [](const JobState* job) { return job->stands_for_set; };
  const auto lacks = [&](const JobState* job) { return ready_lease(*job) == nullptr; };
  if (set.failed || has_lost_member(set))
    return std::ranges::all_of(members, is_told) ? SetAct::none : SetAct::fails;
  if (set.works && std::ranges::any_of(members, lacks)) return SetAct::begins_anew;
  if (now_ >= set.asks_from && std::ranges::any_of(members, stands)) return SetAct::asks;
  if (now_ >= gives_back_at(set)) return SetAct::gives_back;
  return now_ >= begins_at(set) ? SetAct::begins : SetAct::none;
}

/// R14.39: Phase 3, after the steps.
void Run::look_at_sets() {
  const auto has_act = [this](const SetState& set) { return next_act(set) != SetAct::none; };
  for (auto next = std::ranges::find_if(sets_, has_act); next != sets_.end();
       next = std::ranges::find_if(sets_, has_act))
    play(*next, next_act(*next));
  for (const SetState& set : sets_) set_times_.push_back(next_cause(set));
}

/// R14.44: When there will be cause for something, as things are.
SimTime Run::next_cause(const SetState& set) {
  if (set.failed || has_lost_member(set)) return kNever;
  const auto stands = [](const JobState* job) { return job->stands_for_set; };
  const bool asks = std::ranges::any_of(open_members(set), stands);
  return std::min({begins_at(set), gives_back_at(set), asks ? set.asks_from : kNever});
}

/// R14.39, R14.44: Whether there is something to be done with it, or to be known of it.
bool Run::is_to_be_looked_at(const SetState& set) {
  const SimTime next = next_cause(set);
  return next_act(set) != SetAct::none || (next != kNever && std::ranges::count(set_times_, next) == 0);
}

void Run::play(SetState& set, SetAct act) {
  switch (act) {
    case SetAct::none:
      return;
    case SetAct::fails:
      note("set: fails");
      for (JobState* job : open_members(set)) {
        if (std::exchange(job->is_failing, true)) continue;
        start_over(*job);
      }
      return;
    case SetAct::begins_anew:
      return begin_anew(set);
    case SetAct::asks:
      note("set: asks again");
      for (JobState* job : open_members(set)) {
        if (std::exchange(job->stands_for_set, false)) start_over(*job);
      }
      return;
    case SetAct::gives_back:
      note("set: gives back");
      ++result_.sets.given_back;
      set.asks_from = now_ + rule_of(set).again;
      for (JobState* job : open_members(set)) {
        if (Lease* lease = lease_of(*job)) lease->ready = kNever;
        if (!job->came_to_kueue || job->has_gone_on) start_over(*job);
      }
      return;
    case SetAct::begins:
      note("set: begins");
      set.works = true;
      for (const JobState* job : open_members(set)) begin_work(*ready_lease(*job));
      return;
  }
}

/// R14.39, R14.41.
void Run::begin_anew(SetState& set) {
  set.works = false;
  if (set.restarts == rule_of(set).restarts) {
    note("set: no restart is left");
    set.failed = true;
    return;
  }
  note("set: begins anew");
  ++set.restarts;
  ++result_.sets.restarts;
  set.restarted = now_;
  for (const JobState* job : open_members(set)) {
    if (Lease* lease = ready_lease(*job)) interrupt_work(*lease, rule_of(set).in_place);
  }
}

/// R14.40, R14.41.
void Run::interrupt_work(Lease& lease, bool in_place) {
  if (lease.leaving || lease.works == kNever) return;
  settle(lease, /*keeps_all=*/false);
  lease.ready = now_;
  if (!in_place) lease.ready += drawn_length(lease, Purpose::start_up, leg_of(lease).policy.start_up);
  if (lease.job->work_left < lease.job->job.work) lease.ready += lease.job->job_class->reload;
  lease.works = kNever;
  set_own_end(lease);
}

/// R14.39, R14.40.
void Run::begin_work(Lease& lease) {
  if (lease.leaving || lease.works != kNever) return;
  lease.works = now_;
  set_own_end(lease);
  pods_will_be_ready(lease);
}

/// R14.42, R14.43.
void Run::start_over(JobState& job) {
  withdraw(Fate::withdrawn, [&](const Request& one) { return one.job == &job; });
  if (Lease* lease = lease_of(job)) {
    if (!lease->leaving) drop(*lease);
    return;
  }
  leave_line(job);
  job.queues = job.past_last = false;
  job.patience = Due{};
  attempt_again(job);
}

/// R14.42: It ends in the next round.
void Run::drop(Lease& lease) {
  for (Lease* share : leases_of_gang(lease)) {
    leave(*share);
    touch(share->pool);
  }
  if (lease.own_end <= now_) return;
  lease.ending = Ending::given_up;
  for (Lease* share : leases_of_gang(lease)) share->saves_all = false;
  lease.end = from_now(SimDuration::zero());
}

/// R14.44: All times at which something was to be done with a set.
SimTime Run::next_set_instant() const {
  SimTime next = kNever;
  for (const SimTime at : set_times_) next = at > now_ ? std::min(next, at) : next;
  return next;
}

}  // namespace stockout::reference
