#include <algorithm>

#include "tests/support/reference/run.h"
#include "tests/support/reference/work.h"

// Section 13: jobs whose strategy has a deadline rule: which of two legs they should be on, decided
// again and again.
namespace stockout::reference {
namespace {

constexpr std::size_t kCheap = 0;
constexpr std::size_t kSafe = 1;

/// In whole ticks: rounded up.
std::int64_t ticks_for(SimDuration length, SimDuration tick) {
  return -floor_of(-length.count(), tick.count());
}

}  // namespace

/// R13.22, R13.26.
void Run::release_by_rule(JobState& job) {
  if (!leg_is_open(job, kCheap) && !leg_is_open(job, kSafe)) {
    note("rule: no leg could ever hold the job");
    make_final(job, FinalState::refused);
    return;
  }
  job.tick = from_now(job.strategy->deadline_rule->tick);
  decide(job);
}

/// R13.26: Open to the job's class, and some pool of it could ever hold the job.
bool Run::leg_is_open(const JobState& job, std::size_t leg) const {
  return job.strategy->legs[leg].open_to(job.job.job_class) && !possible(job, leg).empty();
}

/// R13.25, R13.31: Goes to the leg on which the job should be now, if it is not there already.
void Run::decide(JobState& job) {
  Lease* lease = lease_of(job);
  if (lease != nullptr && lease->leaving) {
    note("rule: leaves already");
    return;
  }
  if (has_open_request(job)) return;
  const std::size_t state = lease == nullptr ? kNone : lease->leg;
  const std::size_t want = wanted_leg(job, state);
  if (want == state) {
    note(want == kNone ? "rule: waits" : want == kCheap ? "rule: stays cheap" : "rule: stays safe");
    return;
  }
  if (state != kNone) {
    note(want == kSafe ? "rule: from cheap to safe" : "rule: from safe to cheap");
    give_up(*lease);
    return;
  }
  if (job.stands_for_quota && job.leg == want) {
    note("quota: stands in line from tick to tick");
    return;
  }
  leave_line(job);
  note(want == kSafe ? "rule: asks safe" : "rule: asks cheap");
  if (world_.grid > SimDuration::zero()) note("rule: on a grid");
  if (world_.ties == Ties::starts_first) note("rule: starts first");
  ++job.attempt;
  job.leg = want;
  ask_in_leg(job);
}

/// R13.27: Work that the job has done so far, also what its lease has done but not saved.
SimDuration Run::work_done(const JobState& job) {
  const SimDuration before = job.job.work - job.work_left;
  const Lease* lease = lease_of(job);
  if (lease == nullptr) return before;
  const Progress now = progress_of(*lease);
  return before + work_in(now.saved + now.unsaved, rate_of(*lease), job.work_left);
}

/// R13.27 to R13.30: The rule's six sentences, in their order.
std::size_t Run::wanted_leg(JobState& job, std::size_t state) {
  const DeadlineRule& rule = *job.strategy->deadline_rule;
  const bool has_deadline = job.job.deadline != kForever;
  const auto has_room = [&](const Candidate& place) {
    return fits(request_for(job, kCheap, place)) && could_ask_in(job, kCheap, place);
  };
  auto places = possible(job, kSafe);
  if (places.empty()) places = possible(job, kCheap);
  const SimDuration left = time_at(places.front().rate_ppm, job.job.work - work_done(job));
  const std::int64_t done = work_done(job).count();
  const std::int64_t all = job.job.work.count();
  const SimDuration passed = now_ - job.job.submit;
  const auto may_ask = [&](std::size_t leg) { return leg_is_open(job, leg) && job.barred[leg] != now_; };
  const bool stands = job.stands_for_quota && job.leg == kCheap;
  const bool cheap =
      state == kCheap || (may_ask(kCheap) && !stands && std::ranges::any_of(possible(job, kCheap), has_room));

  std::size_t want = cheap ? kCheap : kNone;
  if (has_deadline && done * job.job.deadline.count() < passed.count() * all) want = cheap ? kCheap : kSafe;
  if (state == kSafe) {
    const std::int64_t then = (passed + 2 * rule.overhead).count();
    const bool ahead = !has_deadline || then * all < done * job.job.deadline.count();
    const bool has_checkpoints = job.job_class->checkpoint_every > SimDuration::zero();
    want = cheap && has_checkpoints && ahead ? kCheap : kSafe;
  }
  if (has_deadline) {
    const std::int64_t remaining = floor_of((job.job.deadline - passed).count(), rule.tick.count());
    if (state != kCheap && ticks_for(left + 2 * rule.overhead, rule.tick) >= remaining) want = kSafe;
    if (ticks_for(left + rule.overhead, rule.tick) >= remaining) {
      want = state == kCheap && lease_of(job)->works <= now_ ? kCheap : kSafe;
    }
  }
  if (want == kSafe && !may_ask(kSafe)) want = state != kNone ? state : cheap ? kCheap : kNone;
  return want;
}

/// R13.32, R13.33: The job leaves its lease for another leg.
void Run::give_up(Lease& lease) {
  const JobClass& job_class = *lease.job->job_class;
  const bool saves = job_class.checkpoint_every > SimDuration::zero() && lease.works <= now_;
  const SimDuration until_end = saves ? job_class.checkpoint_cost : SimDuration::zero();
  leave(lease);
  touch(lease.pool);
  if (lease.own_end <= now_ + until_end) {
    note("rule: ends by itself");
    return;
  }
  note(saves ? "rule: saves what it gives up" : "rule: gives up at once");
  lease.ending = Ending::given_up;
  lease.saves_all = saves;
  lease.stops = std::min(lease.stops, now_);
  lease.end = from_now(until_end);
}

}  // namespace stockout::reference
