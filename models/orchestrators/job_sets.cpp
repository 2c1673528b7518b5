#include "models/orchestrators/job_sets.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout {

JobSets::JobSets(const std::vector<Source>& sources) : sources_{sources} {}

bool JobSets::concerns(const JobView& job) const {
  return !job.is_tenant && sources_[index(job.job.source)].set.has_value();
}

JobSets::Sets::iterator JobSets::find(const Job& job) {
  return open_.find({sources_[index(job.source)].set->first, job.row});
}

JobSets::Member& JobSets::member_of(const JobView& job) {
  const auto found = find(job.job);
  STOCKOUT_CHECK(found != open_.end(), "a job has no set");
  return *std::ranges::find(found->second.members, job.job.source, &Member::source);
}

// All jobs of a set come at one instant, and none asks before.
bool JobSets::may_begin(const JobView& job, Clerk& /*clerk*/) {
  const SourceId first = sources_[index(job.job.source)].set->first;
  Set& set = open_[{first, job.job.row}];
  set.rule = &sources_[index(first)].set->rule;
  set.members.push_back({.job = job.ticket, .source = job.job.source});
  return true;
}

Reply JobSets::may_ask(const JobView& job, const LegView& /*leg*/, Clerk& clerk) {
  Member& member = member_of(job);
  member.is_stopped = false;
  if (find(job.job)->second.asks_from <= clerk.now()) return Reply::go;
  member.stands = true;
  due_.insert(find(job.job)->first);
  return Reply::wait;
}

bool JobSets::may_work(const JobView& job, SimTime up, SimTime ready, Clerk& /*clerk*/) {
  Member& member = member_of(job);
  if (member.is_stopped) return false;
  member.up = up;
  member.ready = ready;
  due_.insert(find(job.job)->first);
  return false;
}

void JobSets::heard(const News& news, Clerk& /*clerk*/) {
  Member& member = member_of(news.job);
  switch (news.kind) {
    case News::Kind::suspended:
      return stop(news.job);
    case News::Kind::ended:
      member.ready = kNever;
      break;
    case News::Kind::left:
      member.stands = false;
      return;
    case News::Kind::final:
      member.is_final = true;
      break;
    default:
      return;
  }
  const auto found = find(news.job.job);
  Set& set = found->second;
  if (news.kind == News::Kind::final && news.state != FinalState::completed) set.has_failed = true;
  due_.insert(found->first);
}

// Its machines are going, which costs the set no restart.
void JobSets::stop(const JobView& job) {
  Member& member = member_of(job);
  member.ready = kNever;
  member.is_stopped = true;
  find(job.job)->second.works = false;
}

void JobSets::timer(Token /*token*/, Clerk& clerk) {
  for (; !woken_.empty() && woken_.begin()->first <= clerk.now(); woken_.erase(woken_.begin()))
    if (open_.contains(woken_.begin()->second)) due_.insert(woken_.begin()->second);
}

// One after the other, until there is something to do.
void JobSets::turn(Clerk& clerk) {
  while (!due_.empty()) {
    const auto set = open_.find(*due_.begin());
    if (look_at(set->second, clerk)) return;
    wake_for(set->second, set->first, clerk);
    due_.erase(due_.begin());
    if (std::ranges::all_of(set->second.members, &Member::is_final)) open_.erase(set);
  }
}

// True: it told the clerk of something.
bool JobSets::look_at(Set& set, Clerk& clerk) {
  return fail(set, clerk) || restart(set, clerk) || let_ask(set, clerk) || give_back(set, clerk) ||
         begin(set, clerk);
}

bool JobSets::fail(Set& set, Clerk& clerk) {
  bool told = false;
  for (Member& member : set.members) {
    if (!set.has_failed || member.is_final || member.is_failing) continue;
    member.is_failing = told = true;
    clerk.fail(member.job);
  }
  return told;
}

// One has lost its machines: the others begin anew on theirs.
bool JobSets::restart(Set& set, Clerk& clerk) {
  if (!set.works || set.has_failed || std::ranges::none_of(set.members, &Member::lacks_machines))
    return false;
  set.works = false;
  if (set.restarts == set.rule->restarts) {
    set.has_failed = true;
    return fail(set, clerk);
  }
  ++set.restarts;
  ++totals_.restarts;
  set.restarted = clerk.now();
  bool told = false;
  for (const Member& member : set.members) {
    if (member.is_final || member.lacks_machines()) continue;
    clerk.begin_anew(member.job, set.rule->in_place);
    told = true;
  }
  return told;
}

bool JobSets::let_ask(Set& set, Clerk& clerk) {
  bool told = false;
  for (Member& member : set.members) {
    if (!member.stands || clerk.now() < set.asks_from) continue;
    member.stands = false;
    told = true;
    clerk.start_over(member.job);
  }
  return told;
}

bool JobSets::give_back(Set& set, Clerk& clerk) {
  if (set.has_failed || clerk.now() < set.given_back_at()) return false;
  ++totals_.given_back;
  set.asks_from = clerk.now() + set.rule->again;
  for (Member& member : set.members) {
    if (member.is_final) continue;
    member.ready = kNever;
    clerk.start_over(member.job);
  }
  return true;
}

bool JobSets::begin(Set& set, Clerk& clerk) {
  if (set.has_failed || clerk.now() < set.begins_at()) return false;
  set.works = true;
  for (const Member& member : set.members) {
    if (!member.is_final) clerk.work(member.job);
  }
  return true;
}

// Whether the machines of all that are not over are coming, or have come.
bool JobSets::Set::is_whole() const {
  return std::ranges::none_of(members, &Member::lacks_machines) &&
         !std::ranges::all_of(members, &Member::is_final);
}

// kNever: it works, or lacks machines.
SimTime JobSets::Set::begins_at() const {
  if (works || !is_whole()) return kNever;
  SimTime last = kStart;
  for (const Member& member : members) {
    if (!member.is_final) last = std::max(last, member.ready);
  }
  return last;
}

// kNever: no machines wait.
SimTime JobSets::Set::given_back_at() const {
  SimTime first = kNever;
  for (const Member& member : members) {
    if (!member.is_final && !member.lacks_machines()) first = std::min(first, member.up);
  }
  if (works || is_whole() || first == kNever) return kNever;
  return later(restarted ? std::max(first, *restarted) : first, rule->hold);
}

void JobSets::wake_for(Set& set, const Key& key, Clerk& clerk) {
  const bool stands = std::ranges::any_of(set.members, &Member::stands);
  const SimTime next =
      set.has_failed ? kNever
                     : std::min({set.begins_at(), set.given_back_at(), stands ? set.asks_from : kNever});
  if (next == kNever || next == set.woken_at) return;
  set.woken_at = next;
  woken_.emplace(next, key);
  clerk.wake(next, Token{});
}

void JobSets::check() const {
  for (const auto& [_, set] : open_) {
    STOCKOUT_CHECK(set.restarts <= set.rule->restarts, "a set began anew more often than it may");
    STOCKOUT_CHECK(!set.works || !set.members.empty(), "a set without jobs works");
  }
}

void JobSets::write(RunRecord& record) const { record.sets = totals_; }

}  // namespace stockout
