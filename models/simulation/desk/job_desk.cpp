#include "models/simulation/desk/job_desk.h"

#include <utility>

#include "models/simulation/desk/office_hours.h"
#include "models/simulation/desk/spent_tries.h"

namespace stockout {
namespace {

FinalState final_state(Exhaustion why) {
  switch (why) {
    case Exhaustion::impossible:
    case Exhaustion::stock_out:
      return FinalState::refused;
    case Exhaustion::retries_spent:
    case Exhaustion::restarts_spent:
      return FinalState::failed;
    case Exhaustion::patience:
    case Exhaustion::own_wait:
      return FinalState::expired;
  }
  return FinalState::failed;
}

// A lease has ended before any of the job's began to work, and others may yet.
bool is_racing(const JobState& job) { return job.lease != kNoLease || job.asks.first_request != kNoRequest; }

const Leg& leg_of(const JobState& job) { return job.route.strategy->legs[job.asks.leg]; }

// kNever: its pipeline tries the job no more, as it did so often already.
SimTime next_try_of_step(const World& world, const JobState& job, std::uint16_t tried, SimTime now) {
  if (job.route.strategy->deadline_rule) return kNever;
  const auto& step = world.sources[index(job.job.source)].step;
  return step && tried < step->retry.times ? now + step->retry.pause_before(tried) : kNever;
}

// kNever: nobody submits the job any more.
SimTime next_submission(const World& world, const JobState& job, SimTime now) {
  const auto& rule = job.route.strategy->resubmission;
  if (!rule) return kNever;
  const SimTime at = next_office_hour(world, now + rule->after, *rule);
  return at > later(job.history.released, rule->give_up_after) ? kNever : at;
}

}  // namespace

void JobDesk::submit(const Job& job, std::uint32_t strategy) {
  const JobSlot slot = tables_.jobs.add();
  JobState& state = tables_.jobs[slot];
  state.job = job;
  state.work_left = job.work;
  route_.assign(state, strategy);
  state.generation = tables_.new_generation();
  state.record = recorder_.job_came(strategy == 0);
  orchestration_.assign(slot);
  if (orchestration_.may_begin(slot)) release(slot);
}

void JobDesk::release(JobSlot slot) {
  agenda_.note_progress();
  JobState& job = tables_.jobs[slot];
  job.history.released = agenda_.now();
  job.orchestrators.is_released = true;
  recorder_.job_released(job);
  if (job.job.max_wait == SimDuration::zero()) {
    plan(slot, Step::own_wait_over);
  } else if (job.job.max_wait != kForever) {
    job.timers.expiry =
        agenda_.at(agenda_.now() + job.job.max_wait, Phase::timers, Event::of(EventKind::own_expiry, slot));
  }
  if (!job.route.strategy->deadline_rule) return begin_attempt(slot);
  if (!deadlines_.is_possible(job)) return end_of_legs(slot, Exhaustion::impossible);
  set_tick(slot);
  decide(slot);
}

// Another attempt, at the first leg, as soon as its orchestrators let it. Or they do so now.
void JobDesk::begin_attempt(JobSlot slot) {
  JobState& job = tables_.jobs[slot];
  if (job.orchestrators.any()) {
    if (!std::exchange(job.orchestrators.is_to_try, true)) {
      asking_.leave(slot);
      job.orchestrators.next = 0;
    }
    if (!orchestration_.may_try(slot)) {
      job.asks.stage = Stage::in_line;
      return;
    }
    job.orchestrators.is_to_try = job.orchestrators.is_suspended = false;
  }
  route_.order_legs(job);
  ++job.asks.attempt;
  enter_leg(slot, route_.first_leg(job));
}

void JobDesk::enter_leg(JobSlot slot, std::size_t leg) {
  JobState& job = tables_.jobs[slot];
  if (leg == job.route.strategy->legs.size()) return end_of_legs(slot, Exhaustion::impossible);
  asking_.leave(slot);
  job.asks.leg = static_cast<std::uint8_t>(leg);
  job.asks.entered = agenda_.now();
  route_.is_usable(job, leg) ? asking_.enter(slot) : exhaust(slot, Exhaustion::impossible);
}

void JobDesk::hear(const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::granted:
      return granted(outcome);
    case Outcome::Kind::refused:
      return refused(outcome.job);
    case Outcome::Kind::lost:
    case Outcome::Kind::turned_away:
      return lost(outcome);
    case Outcome::Kind::began:
      requests_.lose_all(outcome.job);
      return lives_.win_race(outcome.lease);
    case Outcome::Kind::completed:
      return finish(outcome.job, FinalState::completed);
    case Outcome::Kind::preempted:
    case Outcome::Kind::broke:
    case Outcome::Kind::exited:
    case Outcome::Kind::failed:
      return interrupted(outcome.job, outcome.kind, SimDuration::zero());
    case Outcome::Kind::expired:
      return interrupted(outcome.job, outcome.kind, leg_of(tables_.jobs[outcome.job]).pods->again);
    case Outcome::Kind::left:
      return is_racing(tables_.jobs[outcome.job]) ? void() : plan(outcome.job, Step::attempt);
    case Outcome::Kind::cut_off:
      return is_racing(tables_.jobs[outcome.job]) ? void() : finish(outcome.job, FinalState::cut_off);
    default:
      return;
  }
}

void JobDesk::granted(const Outcome& outcome) {
  agenda_.note_progress();
  JobState& job = tables_.jobs[outcome.job];
  if (!job.history.ever_granted()) {
    job.history.first_grant = agenda_.now();
    agenda_.cancel(job.timers.expiry);
  }
  agenda_.cancel(job.timers.next_attempt);
  asking_.leave(outcome.job);
  job.asks.leg = outcome.leg;
  if (job.orchestrators.any()) orchestration_.granted(outcome.lease);
  job.asks.stage = Stage::queueing;  // where rivals go on waiting
}

// One place of an at-once leg has no room: the next place.
void JobDesk::refused(JobSlot slot) {
  JobState& job = tables_.jobs[slot];
  const auto& places = route_.usable(job, job.asks.leg);
  orchestration_.refused(slot, *places[job.asks.place]);
  const std::size_t place = route_.place_after(job);
  if (place >= places.size()) return stocked_out(slot);
  job.asks.place = static_cast<std::uint16_t>(place);
  plan(slot, Step::next_place);
}

// No place has room: the retry rule.
void JobDesk::stocked_out(JobSlot slot) {
  JobState& job = tables_.jobs[slot];
  const Policy& policy = job.route.strategy->legs[job.asks.leg].policy;
  if (job.route.strategy->deadline_rule) {
    deadlines_.bar_leg(job);
    plan(slot, Step::attempt);
  } else if (spend_retry(tables_, job)) {
    attempt_at(slot, orchestration_.next_try(slot, agenda_.now() + policy.retry_interval));
  } else {
    exhaust(slot, policy.retries == 0 ? Exhaustion::stock_out : Exhaustion::retries_spent);
  }
}

void JobDesk::lost(const Outcome& outcome) {
  const JobState& job = tables_.jobs[outcome.job];
  if (job.generation != outcome.generation || job.lease != kNoLease) return;  // it is gone, or was a rival's
  if (job.asks.stage == Stage::past_legs && job.asks.first_request == kNoRequest) {
    return end_of_legs(outcome.job, Exhaustion::patience);
  }
  if (job.asks.stage != Stage::queueing || job.asks.leg != outcome.leg) return;
  if (requests_.has_of_leg(job, job.route.strategy->legs[job.asks.leg])) return;
  outcome.kind == Outcome::Kind::turned_away ? asking_.ask_anew(outcome.job)
                                             : exhaust(outcome.job, Exhaustion::impossible);
}

// The restart rule of the leg: another attempt after the pause, or the job passes on. One that failed by
// itself is done for.
void JobDesk::interrupted(JobSlot slot, Outcome::Kind why, SimDuration pause) {
  using enum Outcome::Kind;
  JobState& job = tables_.jobs[slot];
  const bool by_itself = why == exited || why == failed;
  if (!by_itself && why != expired) ++job.history.preemptions;
  if (is_racing(job)) return;
  const bool is_stopped = job.orchestrators.is_suspended || job.orchestrators.let_it_fail;
  const bool by_deadline = job.route.strategy->deadline_rule && why != failed;
  if (is_stopped || by_deadline) return plan(slot, Step::attempt);
  if (spend_restart(tables_, job, why)) return attempt_at(slot, agenda_.now() + pause);
  by_itself ? end_of_legs(slot, Exhaustion::restarts_spent) : exhaust(slot, Exhaustion::restarts_spent);
}

void JobDesk::patience_over(JobSlot slot) {
  const JobState& job = tables_.jobs[slot];
  if (job.route.strategy->legs[job.asks.leg].keep) {
    requests_.keep_leg(slot, job.asks.leg);
  } else {
    requests_.expire_leg(slot, job.asks.leg);
  }
  exhaust(slot, Exhaustion::patience);
}

void JobDesk::own_wait_over(JobSlot slot) {
  requests_.expire_all(slot);
  end_of_legs(slot, Exhaustion::own_wait);
}

void JobDesk::kept_over(RequestSlot request) {
  const JobSlot slot = tables_.requests[request].job;
  const std::uint8_t leg = tables_.requests[request].leg_number;
  requests_.expire(request);
  const JobState& job = tables_.jobs[slot];
  if (job.asks.first_request != kNoRequest) return;
  if (job.asks.stage == Stage::past_legs) return end_of_legs(slot, Exhaustion::patience);
  if (job.asks.stage == Stage::queueing && job.asks.leg == leg) exhaust(slot, Exhaustion::patience);
}

void JobDesk::decide(JobSlot slot) {
  using Move = DeadlineMoves::Move;
  const Move move = deadlines_.decide(slot);
  JobState& job = tables_.jobs[slot];
  if (move == Move::stay) return;
  if (move == Move::leave) return lives_.give_up(job.lease);
  const std::uint8_t leg = move == Move::ask_cheap ? DeadlineMoves::kCheap : DeadlineMoves::kSafe;
  if (job.asks.stage == Stage::in_line && job.asks.leg == leg) return;
  ++job.asks.attempt;
  asking_.leave(slot);
  job.asks.leg = leg;
  asking_.enter(slot);
}

void JobDesk::set_tick(JobSlot slot) {
  JobState& job = tables_.jobs[slot];
  job.timers.tick = agenda_.at(agenda_.now() + job.route.strategy->deadline_rule->tick, Phase::timers,
                               Event::of(EventKind::tick, slot));
}

void JobDesk::attempt_at(JobSlot slot, SimTime at) {
  if (at == agenda_.now()) return plan(slot, Step::attempt);
  tables_.jobs[slot].timers.next_attempt = agenda_.at(at, Phase::timers, Event::of(EventKind::attempt, slot));
}

// The job passes on to its next leg in the next round.
void JobDesk::exhaust(JobSlot slot, Exhaustion why) {
  asking_.leave(slot);
  const JobState& job = tables_.jobs[slot];
  if (route_.leg_after(job) == job.route.strategy->legs.size()) return end_of_legs(slot, why);
  plan(slot, why == Exhaustion::restarts_spent ? Step::next_leg_anew : Step::next_leg);
}

// No leg is left. Kept requests of earlier legs go on waiting; without any, the job is done for.
void JobDesk::end_of_legs(JobSlot slot, Exhaustion why) {
  if (tables_.jobs[slot].asks.first_request != kNoRequest) {
    tables_.jobs[slot].asks.stage = Stage::past_legs;
    return;
  }
  if (why != Exhaustion::own_wait && orchestration_.tries_again(slot)) return plan(slot, Step::attempt);
  if (!resubmit(slot)) finish(slot, final_state(why));
}

// Its pipeline tries it again, or the person who notices that it failed.
bool JobDesk::resubmit(JobSlot slot) {
  JobState& job = tables_.jobs[slot];
  if (!job.orchestrators.is_released || !route_.is_possible(job)) return false;
  const std::uint16_t tried = job.tries == kNoTries ? std::uint16_t{0} : tables_.tries[job.tries].by_pipeline;
  const SimTime by_pipeline = next_try_of_step(world_, job, tried, agenda_.now());
  const SimTime at = by_pipeline == kNever ? next_submission(world_, job, agenda_.now()) : by_pipeline;
  if (at == kNever) return false;
  job.job.max_wait = kForever;  // it was of the submission that is over
  agenda_.cancel(job.timers.expiry);
  agenda_.cancel(job.timers.next_attempt);
  if (job.tries != kNoTries) tables_.tries[job.tries] = {};
  if (by_pipeline != kNever) tables_.tries_of(job).by_pipeline = static_cast<std::uint16_t>(tried + 1);
  asking_.leave(slot);
  attempt_at(slot, at);
  return true;
}

void JobDesk::play(const Due& due) {
  const JobSlot slot = due.stay.job;
  JobState& job = tables_.jobs[slot];
  if (job.generation != due.stay.generation) return;
  const bool has_stayed = job.asks.stay == due.stay.stay;
  switch (due.step) {
    case Step::own_wait_over:
      return job.history.ever_granted() || job.job.max_wait == kForever ? void() : own_wait_over(slot);
    case Step::tick:
      set_tick(slot);
      return decide(slot);
    default:
      break;
  }
  if (!has_stayed && due.step != Step::suspend) return;  // who was let in and suspended in one turn has moved
  switch (due.step) {
    case Step::attempt:
      if (std::exchange(job.orchestrators.let_it_fail, false))
        return end_of_legs(slot, Exhaustion::retries_spent);
      return job.route.strategy->deadline_rule ? decide(slot) : begin_attempt(slot);
    case Step::patience_over:
      return patience_over(slot);
    case Step::next_leg_anew:
      ++job.asks.attempt;
      return enter_leg(slot, route_.leg_after(job));
    case Step::next_leg:
      return enter_leg(slot, route_.leg_after(job));
    case Step::next_place:
      return asking_.ask_place(slot);
    case Step::turned_away:
      return stocked_out(slot);
    case Step::admit:
      return admit(slot);
    case Step::fail:
    case Step::suspend:
    case Step::start_over:
      return stop(slot, due.step);
    case Step::give_up:
      orchestration_.happened(News::Kind::fails, slot);
      return end_of_legs(slot, Exhaustion::retries_spent);
    case Step::skip:
      return finish(slot, FinalState::skipped);
    case Step::evict:
      return lives_.evict(slot);
    case Step::work:
      return lives_.work(slot);
    case Step::begin_anew:
      return lives_.begin_anew(slot, false);
    case Step::begin_anew_in_place:
      return lives_.begin_anew(slot, true);
    default:
      return;
  }
}

// The word of the orchestrator has come for which it waits: to begin at all, an attempt, or to ask.
void JobDesk::admit(JobSlot slot) {
  const JobOrchestrators& orchestrators = tables_.jobs[slot].orchestrators;
  if (!orchestrators.is_released) return orchestration_.may_begin(slot) ? release(slot) : void();
  orchestrators.is_to_try ? begin_attempt(slot) : asking_.go_on(slot);
}

// Without what it has and asks for; then it begins another attempt.
void JobDesk::stop(JobSlot slot, Step why) {
  JobState& job = tables_.jobs[slot];
  if (why == Step::start_over && job.orchestrators.is_to_try) return;  // it has nothing to give back
  requests_.withdraw_all(slot);
  STOCKOUT_CHECK(why != Step::suspend || !job.orchestrators.is_to_try,
                 "a job is suspended that waits to begin");
  if (why == Step::suspend) orchestration_.happened(News::Kind::suspended, slot);
  if (why == Step::fail) orchestration_.happened(News::Kind::fails, slot);
  job.orchestrators.is_suspended = why == Step::suspend;
  job.orchestrators.let_it_fail = why == Step::fail;
  if (job.lease != kNoLease) return why == Step::suspend ? lives_.evict(slot) : lives_.drop(slot);
  agenda_.cancel(job.timers.next_attempt);
  if (why == Step::suspend) return begin_attempt(slot);
  asking_.leave(slot);
  plan(slot, Step::attempt);
}

void JobDesk::finish(JobSlot slot, FinalState state) {
  agenda_.note_progress();
  JobState& job = tables_.jobs[slot];
  STOCKOUT_CHECK(job.asks.first_request == kNoRequest && job.lease == kNoLease);
  asking_.leave(slot);
  agenda_.cancel(job.timers.expiry);
  agenda_.cancel(job.timers.next_attempt);
  agenda_.cancel(job.timers.tick);
  recorder_.job_final(slot, job, state);
  orchestration_.job_final(slot, state);
  if (job.tries != kNoTries) tables_.tries.remove(job.tries);
  job.generation = 0;  // voids whatever still names this slot
  tables_.jobs.remove(slot);
}

std::uint64_t JobDesk::close(JobSlot slot) {
  const JobState& job = tables_.jobs[slot];
  if (job.generation == 0) return 0;
  std::uint64_t open = 0;
  for (; job.asks.first_request != kNoRequest; ++open) {
    if (open == 0) recorder_.log().waits_at_end(tables_.requests[job.asks.first_request], job);
    requests_.close(job.asks.first_request);
  }
  recorder_.job_final(slot, job, FinalState::unfinished);
  return open;
}

}  // namespace stockout
