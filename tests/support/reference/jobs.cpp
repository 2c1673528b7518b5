#include <algorithm>

#include "tests/support/reference/run.h"

// Section 13: a job between its leases.
namespace stockout::reference {
namespace {

using std::chrono::days;

SimDuration offset_at(const World& world, SimTime at) {
  SimDuration offset{};
  for (const OffsetStep& step : world.utc_offsets) {
    if (step.at <= at) offset = step.offset;
  }
  return offset;
}

bool in_office(const World& world, const Resubmission& office, SimTime at) {
  const auto local = world.start_date + (at - kStart) + offset_at(world, at);
  const auto midnight = std::chrono::floor<days>(local);
  const auto weekday = std::chrono::weekday{midnight}.iso_encoding();  // Monday is 1
  const SimDuration time_of_day = local - midnight;
  return weekday <= 5 && office.office_from <= time_of_day && time_of_day < office.office_to;
}

}  // namespace

/// R14.24, R14.25.
void Run::arrive(JobState& job) {
  if (!follows_steps(job)) return come_to_group(job);
  note("pipeline: holds a step");
  job.stage = Stage::held_by_pipeline;
  look_at_step(job);
}

/// R13.1, R14.1.
void Run::come_to_group(JobState& job) {
  const bool full =
      job.job.group != 0 && job.job_class->parallel != 0 && open_in_group(job) >= job.job_class->parallel;
  job.stage = full ? Stage::held_by_group : Stage::open;
  job.came_to_group = orders_++;
  if (full) {
    note("held by its group");
  } else {
    release(job);
  }
}

/// R13.1, R13.15, R3.1.
void Run::release(JobState& job) {
  job.released_at = now_;
  if (job.job.max_wait != kForever) job.own_wait = from_now(job.job.max_wait);
  if (follows_rule(job)) {
    release_by_rule(job);
  } else if (open_legs(job).empty()) {
    make_final(job, FinalState::refused);
  } else {
    begin_at_first_leg(job);
  }
}

/// R13.2, R17.2, R18.2.
void Run::begin_at_first_leg(JobState& job) {
  if (!stops_at_kueue(job) && !stops_at_slurm(job)) start_at_first_leg(job);
}

void Run::start_at_first_leg(JobState& job) {
  ++job.attempt;
  order_legs(job);
  enter_leg(job, job.legs.front());
}

/// The open one that was granted first, if there is one.
Lease* Run::lease_of(const JobState& job) {
  const auto found =
      std::ranges::find_if(leases_, [&](const Lease& lease) { return lease.open() && lease.job == &job; });
  return found == leases_.end() ? nullptr : &*found;
}

/// R3.4, R13.3, R13.7, R13.8.
void Run::enter_leg(JobState& job, std::size_t l) {
  const Leg& leg = job.strategy->legs[l];
  job.leg = l;
  const std::vector<Candidate> candidates = possible(job, l);
  for (const Candidate& listed : leg.candidates[index(job.job.shape)]) {
    if (has_too_many_machines(leg, listed)) note("too many machines for one request");
    if (job.recorded && !could_ever_have_quota(listed, leg.policy.lease_class)) {
      note("quota: more than there ever is");
    }
  }
  if (candidates.empty()) return exhausted(job, FinalState::refused);
  job.queues = has_queue(leg);
  if (job.queues && leg.patience() != kForever) job.patience = from_now(leg.patience());
  if (job.queues && has_open_request(job, l)) {
    note("came back to kept requests");
  } else {
    ask_in_leg(job);
  }
}

/// R13.3, R14.17: One at-once request at the leg's next place in which it may ask.
void Run::ask_place(JobState& job) {
  while (job.place < job.places.size() && !may_ask_in(job, job.places[job.place])) ++job.place;
  if (job.place < job.places.size()) return make_request(job, job.places[job.place]);
  note("quota: no place is left");
  job.step = {at_soonest(), [this, &job] { refused_everywhere(job); }};
}

/// R13.3 to R13.6, R13.24, R14.29.
void Run::refused_at_place(JobState& job) {
  fail_node_group(job, /*lacks_quota=*/false);
  if (++job.place >= job.places.size()) return refused_everywhere(job);
  note("asked the next place");
  job.step = {at_soonest(), [this, &job] { ask_place(job); }};
}

void Run::refused_everywhere(JobState& job) {
  const Policy& policy = job.strategy->legs[job.leg].policy;
  if (follows_rule(job)) {
    note("rule: refused by a leg");
    job.barred[job.leg] = now_;
    job.step = {from_now(SimDuration::zero()), [this, &job] { decide(job); }};
  } else if (policy.retries == kUnlimited || job.retries[job.leg] < policy.retries) {
    note("retry used");
    if (has_open_request(job)) note("retry pending beside kept requests");
    ++job.retries[job.leg];
    job.step = {at_soonest(next_attempt_at(job)), [this, &job] { begin_at_first_leg(job); }};
  } else {
    exhausted(job, policy.retries != 0 ? FinalState::failed : FinalState::refused);
  }
}

/// R13.7.
void Run::patience_ends(JobState& job) {
  if (job.strategy->legs[job.leg].keep) {
    note("kept its requests");
  } else {
    withdraw(Fate::withdrawn, [&](const Request& one) { return one.job == &job && one.leg == job.leg; });
  }
  exhausted(job, FinalState::expired);
}

/// R13.9, R13.10: It has waited for as long as its model lets it, whatever the leg's limit.
void Run::kept_request_ends(const Request& request) {
  JobState& job = *request.job;
  withdraw(Fate::withdrawn, [&](const Request& one) { return &one == &request; });
  if (has_open_request(job)) return;
  if (job.past_last) {
    note("kept request ended: the job is past its last leg");
    would_be_final(job, FinalState::expired);
  } else if (job.queues && job.leg == request.leg) {
    note("kept request ended: the job is in that leg");
    exhausted(job, FinalState::expired);
  } else {
    note("kept request ended: the job is elsewhere");
  }
}

/// R13.14.
void Run::own_wait_ends(JobState& job) {
  note("own maximum wait ended");
  withdraw(Fate::withdrawn, [&](const Request& one) { return one.job == &job; });
  job.patience = job.step.due = Due{};
  give_up_submission(job, FinalState::expired);
}

/// R13.11 to R13.13: The attempt is done with the job's leg: on to the next, or wait for what was kept,
/// or the end.
void Run::exhausted(JobState& job, FinalState outcome) {
  job.patience = job.step.due = Due{};
  job.queues = job.races = false;
  leave_line(job);
  const std::size_t next = leg_after(job, job.leg);
  if (next != kNone) {
    job.step = {at_soonest(), [this, &job, next] {
                  note("passed on to a later leg");
                  enter_leg(job, next);
                }};
  } else if (has_open_request(job)) {
    note("waits for kept requests after its last leg");
    job.past_last = true;
  } else {
    would_be_final(job, outcome);
  }
}

/// R7.18, R7.21, R7.24, R9.9, R13.23: In the next phase 3, or after the pause.
void Run::attempt_again(JobState& job, SimDuration pause) {
  job.step = {at_soonest(now_ + pause), [this, &job] {
                if (job.is_failing) return would_be_final(job, FinalState::failed);
                follows_rule(job) ? decide(job) : begin_at_first_leg(job);
              }};
}

/// R17.9, R18.10: Either a further attempt is due, and the job is past its last leg no more.
void Run::would_be_final(JobState& job, FinalState state) {
  if (!asks_for_capacity_again(job) && !asks_for_other_nodes(job)) return give_up_submission(job, state);
  job.past_last = false;
}

/// R13.16, R13.18, R13.20.
void Run::give_up_submission(JobState& job, FinalState state) {
  job.own_wait = Due{};  // it belongs to the submission that is over
  job.queues = job.past_last = false;
  leave_line(job);
  const auto& resubmission = job.strategy->resubmission;
  const auto is_possible = [&](std::size_t leg) { return !possible(job, leg).empty(); };
  const bool could_be = std::ranges::any_of(open_legs(job), is_possible);
  if (could_be && is_tried_again(job)) return;
  if (resubmission && could_be) {
    const SimTime again = next_office_time(*resubmission, now_ + resubmission->after);
    if (again <= later(job.released_at, resubmission->give_up_after)) {
      job.step = {at_soonest(again), [this, &job] { resubmit(job); }};
      return;
    }
    note("gave up resubmitting");
  }
  make_final(job, state);
}

/// R13.17: The first instant at or after `at` at which somebody is in the office: Monday to Friday,
/// local time of day in [from, to). Both zero: `at` itself.
SimTime Run::next_office_time(const Resubmission& office, SimTime at) const {
  const bool always = office.office_from == SimDuration::zero() && office.office_to == SimDuration::zero();
  if (always || in_office(world_, office, at)) return at;
  // Somebody comes in when a day's office begins on the clock in force, or when the clock is put forward or
  // back.
  SimTime first = kNever;
  const auto consider = [&](SimTime candidate) {
    if (candidate > at && in_office(world_, office, candidate)) first = std::min(first, candidate);
  };
  for (const OffsetStep& step : world_.utc_offsets) consider(step.at);
  std::vector<SimDuration> offsets{SimDuration::zero()};
  for (const OffsetStep& step : world_.utc_offsets) offsets.push_back(step.offset);
  for (const SimDuration offset : offsets) {
    const auto midnight = std::chrono::floor<days>(world_.start_date + (at - kStart) + offset);
    for (int day = 0; day <= 10; ++day) {
      const auto opening = midnight + days{day} + office.office_from;
      const SimTime candidate = kStart + (opening - offset - world_.start_date);
      if (offset_at(world_, candidate) == offset) consider(candidate);
    }
  }
  return first;
}

/// R13.19: The user submits it again.
void Run::resubmit(JobState& job) {
  note("resubmitted");
  job.tried_again = 0;
  begin_anew(job);
}

/// R14.33 to R14.35.
bool Run::is_tried_again(JobState& job) {
  const auto& step = world_.sources[index(job.job.source)].step;
  if (!step || follows_rule(job) || job.tried_again >= step->retry.times) return false;
  __extension__ __int128 pause = step->retry.first.count();
  for (std::int64_t i = 0; i < job.tried_again; ++i) {
    pause = pause * step->retry.factor_ppm / 1'000'000;
    if (pause > step->retry.most.count()) pause = step->retry.most.count();
  }
  ++job.tried_again;
  note(job.tried_again > 1 ? "pipelines: a step is tried yet again" : "pipelines: a step is tried again");
  job.step = {at_soonest(now_ + SimDuration{static_cast<std::int64_t>(pause)}),
              [this, &job] { begin_anew(job); }};
  return true;
}

void Run::begin_anew(JobState& job) {
  std::ranges::fill(job.retries, 0);
  std::ranges::fill(job.restarts, 0);
  std::ranges::fill(job.fault_restarts, 0);
  std::ranges::fill(job.exit_restarts, 0);
  begin_at_first_leg(job);
}

/// R14.2, R14.25.
void Run::make_final(JobState& job, FinalState state) {
  note("final: " + std::string{kFinalStateNames[static_cast<std::size_t>(state)]});
  leave_kueue(job, state == FinalState::completed);  // while it still counts as one that waits
  leave_slurm(job, state == FinalState::completed);
  job.stage = Stage::final;
  job.state = state;
  job.finished = now_;
  end_quota_wait(job);
  job.step.due = job.patience = job.own_wait = job.tick = Due{};
  let_go_in_group(job);
  look_at_pipeline(job);
}

}  // namespace stockout::reference
