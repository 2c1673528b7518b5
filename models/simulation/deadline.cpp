// Strategies with a deadline rule: at every tick a job may change between its cheap and its safe leg.

#include <algorithm>

#include "models/consumption/deadline_rule.h"
#include "models/execution/work.h"
#include "models/simulation/run.h"

namespace stockout {
namespace {

constexpr std::size_t kCheap = 0;
constexpr std::size_t kSafe = 1;

Footing footing_of(const JobState& job) {
  if (job.lease == kNoLease) return Footing::none;
  return job.leg == kCheap ? Footing::cheap : Footing::safe;
}

}  // namespace

bool Run::may_ask(const JobState& job, std::size_t leg) const {
  const bool is_barred = job.barred_at == now() && (job.barred & (1U << leg)) != 0;
  return !is_barred && job.strategy->legs[leg].open_to(job.job.job_class) && !route_.usable(job, leg).empty();
}

bool Run::has_room(const JobState& job, std::size_t leg) {
  const LeaseClass lease_class = job.strategy->legs[leg].policy.lease_class;
  return may_ask(job, leg) && std::ranges::any_of(route_.usable(job, leg), [&](const Candidate* candidate) {
           const GpuCount room = room_at_once(books_.pool(candidate->pool), lease_class);
           return candidate->gpus <= room && has_hosts(*candidate, job.strategy->legs[leg]);
         });
}

// The first decision of a job, and its clock.
void Run::begin_rule(JobSlot slot) {
  const JobState& job = jobs_[slot];
  if (!may_ask(job, kCheap) && !may_ask(job, kSafe)) return end_of_legs(slot, Exhaustion::impossible);
  set_tick(slot);
  decide(slot);
}

void Run::set_tick(JobSlot slot) {
  jobs_[slot].tick = agenda_.at(now() + jobs_[slot].strategy->deadline_rule->tick, Phase::timers,
                                Event::of(EventKind::tick, slot));
}

void Run::decide(JobSlot slot) {
  JobState& job = jobs_[slot];
  const Lease* lease = job.lease == kNoLease ? nullptr : &books_.leases()[job.lease];
  if (job.first_request != kNoRequest || (lease != nullptr && lease->leaving)) return;
  const Footing footing = footing_of(job);
  const SimDuration left = job.work_left - (lease != nullptr ? progress_now(*lease) : SimDuration::zero());
  const auto& on_leg = route_.usable(job, route_.usable(job, kSafe).empty() ? kCheap : kSafe);
  const bool cheap_available = footing == Footing::cheap || has_room(job, kCheap);
  Footing want = wanted_footing(
      *job.strategy->deadline_rule,
      {.footing = footing,
       .has_begun = lease != nullptr && lease->working <= now(),
       .saves_work = world_.classes[index(job.job.job_class)].checkpoint_every > SimDuration::zero(),
       .cheap_available = cheap_available,
       .elapsed = now() - job.job.submit,
       .deadline = job.job.deadline,
       .work = job.job.work,
       .done = job.job.work - left,
       .left = time_at(on_leg.front()->rate_ppm, left)});
  if (want == Footing::safe && footing != Footing::safe && !may_ask(job, kSafe)) {
    want = footing == Footing::none && cheap_available ? Footing::cheap : footing;
  }
  if (want == footing) return;
  if (footing != Footing::none) return give_up(job.lease);
  ++job.attempt;
  ++job.stay;
  job.leg = static_cast<std::uint8_t>(want == Footing::cheap ? kCheap : kSafe);
  job.place = 0;
  ask_place(slot);
}

// A leg refused the job in all its places.
void Run::bar_leg(JobSlot slot) {
  JobState& job = jobs_[slot];
  if (job.barred_at != now()) job.barred = 0;
  job.barred_at = now();
  job.barred = static_cast<std::uint8_t>(job.barred | 1U << job.leg);
  plan(slot, Step::attempt);
}

// The job leaves its lease of its own will, with a last checkpoint if it writes any.
void Run::give_up(LeaseSlot slot) {
  const Lease& lease = books_.leases()[slot];
  const JobClass& job_class = world_.classes[index(jobs_[lease.job].job.job_class)];
  const bool saves = job_class.checkpoint_every > SimDuration::zero() && lease.working <= now();
  touch(lease.pool);
  interrupt(slot, Interruption::given_up, saves ? job_class.checkpoint_cost : SimDuration::zero(), saves);
}

}  // namespace stockout
