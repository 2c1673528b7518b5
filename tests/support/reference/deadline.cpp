#include <algorithm>

#include "tests/support/reference/run.h"

// Jobs whose strategy has a deadline rule: which of two legs they should be on, decided again and again.
namespace stockout::reference {
namespace {

constexpr std::size_t kCheap = 0;
constexpr std::size_t kSafe = 1;

/// In whole ticks: rounded down, also below zero.
std::int64_t ticks_within(SimDuration length, SimDuration tick) {
  std::int64_t ticks = 0;
  while ((ticks + 1) * tick <= length) ++ticks;
  while (ticks * tick > length) --ticks;
  return ticks;
}

/// In whole ticks: rounded up.
std::int64_t ticks_for(SimDuration length, SimDuration tick) {
  std::int64_t ticks = 0;
  while (ticks * tick < length) ++ticks;
  return ticks;
}

}  // namespace

void Run::release_by_rule(std::size_t j) {
  if (!leg_is_open(jobs_[j], kCheap) && !leg_is_open(jobs_[j], kSafe)) {
    note("rule: no leg could ever hold the job");
    make_final(j, FinalState::refused);
    return;
  }
  jobs_[j].tick = from_now(SimDuration::zero());
  set_next_tick(j);
  decide(j);
}

void Run::set_next_tick(std::size_t j) {
  const SimTime next = now_ + jobs_[j].strategy->deadline_rule->tick;
  jobs_[j].tick = from_now(SimDuration::zero());
  jobs_[j].tick.at = next;
}

/// Open to the job's class, and some pool of it could ever hold the job.
bool Run::leg_is_open(const JobState& job, std::size_t leg) const {
  return leg_of(job, leg).open_to(job.job.job_class) && !possible(job, leg).empty();
}

bool Run::has_room_now(std::size_t j, std::size_t leg) const {
  const auto candidates = possible(jobs_[j], leg);
  return std::any_of(candidates.begin(), candidates.end(),
                     [&](const Candidate& candidate) { return fits(request_for(j, leg, candidate)); });
}

std::size_t Run::lease_of(std::size_t j) const {
  for (std::size_t i = 0; i < leases_.size(); ++i) {
    if (leases_[i].open && leases_[i].job == j) return i;
  }
  return kNone;
}

/// Goes to the leg on which the job should be now, if it is not there already.
void Run::decide(std::size_t j) {
  JobState& job = jobs_[j];
  const std::size_t lease = lease_of(j);
  if (lease != kNone && leases_[lease].leaving) {
    note("rule: leaves already");
    return;
  }
  if (has_open_request(j)) return;
  const std::size_t state = lease == kNone ? kNone : leases_[lease].leg;
  const std::size_t want = wanted_leg(j, state);
  if (want == state) {
    note(want == kNone ? "rule: waits" : want == kCheap ? "rule: stays cheap" : "rule: stays safe");
    return;
  }
  if (state != kNone) {
    note(want == kSafe ? "rule: from cheap to safe" : "rule: from safe to cheap");
    give_up(lease);
    return;
  }
  note(want == kSafe ? "rule: asks safe" : "rule: asks cheap");
  if (world_.grid > SimDuration::zero()) note("rule: on a grid");
  if (world_.ties == Ties::starts_first) note("rule: starts first");
  ++job.attempt;
  job.leg = want;
  ask_first_place(j);
}

/// Work that the lease (kNone: there is none) has done so far, saved or not.
SimDuration Run::work_on(std::size_t l) const {
  if (l == kNone) return SimDuration::zero();
  const Progress progress = progress_until(leases_[l], now_);
  return work_in(progress.saved + progress.unsaved, leases_[l].rate, jobs_[leases_[l].job].work_left);
}

/// The rate at which work goes on where it is safe, or if that can be nowhere, where it is cheap.
std::int64_t Run::safe_rate(const JobState& job) const {
  const auto safe = possible(job, kSafe);
  return safe.empty() ? possible(job, kCheap).front().rate_ppm : safe.front().rate_ppm;
}

/// The rule's six sentences, in their order.
std::size_t Run::wanted_leg(std::size_t j, std::size_t state) const {
  const JobState& job = jobs_[j];
  const SimDuration tick = job.strategy->deadline_rule->tick;
  const SimDuration change = job.strategy->deadline_rule->overhead;
  const bool has_deadline = job.job.deadline != kForever;
  const bool has_checkpoints =
      world_.classes[index(job.job.job_class)].checkpoint_every > SimDuration::zero();
  const std::size_t lease = lease_of(j);
  const SimDuration work_done = job.job.work - job.work_left + work_on(lease);
  const SimDuration left = time_at(safe_rate(job), job.job.work - work_done);
  const std::int64_t done = work_done.count();
  const std::int64_t all = job.job.work.count();
  const SimDuration passed = now_ - job.job.submit;
  const auto may_ask = [&](std::size_t leg) { return leg_is_open(job, leg) && job.barred[leg] != now_; };
  const bool cheap = state == kCheap || (may_ask(kCheap) && has_room_now(j, kCheap));

  std::size_t want = cheap ? kCheap : kNone;
  if (has_deadline && done * job.job.deadline.count() < passed.count() * all) want = cheap ? kCheap : kSafe;
  if (state == kSafe) {
    const bool ahead = !has_deadline || (passed + 2 * change).count() * all < done * job.job.deadline.count();
    want = cheap && has_checkpoints && ahead ? kCheap : kSafe;
  }
  if (has_deadline) {
    const std::int64_t remaining = ticks_within(job.job.deadline - passed, tick);
    if (state != kCheap && ticks_for(left + 2 * change, tick) >= remaining) want = kSafe;
    if (ticks_for(left + change, tick) >= remaining) {
      want = state == kCheap && leases_[lease].works <= now_ ? kCheap : kSafe;
    }
  }
  if (want == kSafe && !may_ask(kSafe)) {
    want = state != kNone ? state : cheap ? kCheap : kNone;
  }
  return want;
}

/// The job leaves its lease for another leg.
void Run::give_up(std::size_t l) {
  Lease& lease = leases_[l];
  const JobClass& job_class = world_.classes[index(jobs_[lease.job].job.job_class)];
  const bool saves = job_class.checkpoint_every > SimDuration::zero() && lease.works <= now_;
  const SimDuration until_end = saves ? job_class.checkpoint_cost : SimDuration::zero();
  lease.leaving = true;
  lease.delayed = false;
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
