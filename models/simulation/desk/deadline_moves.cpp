#include "models/simulation/desk/deadline_moves.h"

#include <algorithm>

#include "models/consumption/deadline_rule.h"
#include "models/execution/work.h"

namespace stockout {
namespace {

Footing footing_of(const JobState& job) {
  if (job.lease == kNoLease) return Footing::none;
  return job.asks.leg == DeadlineMoves::kCheap ? Footing::cheap : Footing::safe;
}

}  // namespace

bool DeadlineMoves::may_ask(const JobState& job, std::size_t leg) const {
  return !job.barred.has(leg, agenda_.now()) && job.route.strategy->legs[leg].open_to(job.job.job_class) &&
         !route_.usable(job, leg).empty();
}

// A job that stands in line for the leg would only go on standing there.
bool DeadlineMoves::is_available(JobSlot slot, std::uint8_t leg) {
  const JobState& job = tables_.jobs[slot];
  const bool stands = job.asks.stage == Stage::in_line && job.asks.leg == leg;
  if (stands || !may_ask(job, leg)) return false;
  return std::ranges::any_of(route_.usable(job, leg), [&](const Candidate* place) {
    return market_.has_room(*place, job.route.strategy->legs[leg]) &&
           orchestration_.would_let_ask(slot, leg, *place);
  });
}

DeadlineMoves::Move DeadlineMoves::decide(JobSlot slot) {
  const JobState& job = tables_.jobs[slot];
  const Lease* lease = job.lease == kNoLease ? nullptr : &books_.leases()[job.lease];
  if (job.asks.first_request != kNoRequest || (lease != nullptr && lease->ending.leaving)) return Move::stay;
  const Footing footing = footing_of(job);
  const SimDuration left =
      job.work_left - (lease != nullptr ? lives_.progress_now(*lease) : SimDuration::zero());
  const auto& on_leg = route_.usable(job, route_.usable(job, kSafe).empty() ? kCheap : kSafe);
  const bool cheap_available = footing == Footing::cheap || is_available(slot, kCheap);
  Footing want = wanted_footing(
      *job.route.strategy->deadline_rule,
      {.footing = footing,
       .has_begun = lease != nullptr && lease->times.working <= agenda_.now(),
       .saves_work = world_.classes[index(job.job.job_class)].checkpoint_every > SimDuration::zero(),
       .cheap_available = cheap_available,
       .elapsed = agenda_.now() - job.job.submit,
       .deadline = job.job.deadline,
       .work = job.job.work,
       .done = job.job.work - left,
       .left = time_at(on_leg.front()->rate_ppm, left)});
  if (want == Footing::safe && footing != Footing::safe && !may_ask(job, kSafe)) {
    want = footing == Footing::none && cheap_available ? Footing::cheap : footing;
  }
  if (want == footing) return Move::stay;
  if (footing != Footing::none) return Move::leave;
  return want == Footing::cheap ? Move::ask_cheap : Move::ask_safe;
}

void DeadlineMoves::bar_leg(JobState& job) const { job.barred.add(job.asks.leg, agenda_.now()); }

}  // namespace stockout
