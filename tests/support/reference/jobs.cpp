#include <algorithm>

#include "tests/support/reference/office_hours.h"
#include "tests/support/reference/run.h"

namespace stockout::reference {
namespace {

bool is_of_one_group(const Job& a, const Job& b) {
  return a.source == b.source && a.job_class == b.job_class && a.group == b.group;
}

}  // namespace

void Run::set_step(std::size_t job, Step step, Due due, std::size_t leg) {
  jobs_[job].step = step;
  jobs_[job].step_due = due;
  jobs_[job].step_leg = leg;
}

void Run::arrive(std::size_t j) {
  JobState& job = jobs_[j];
  job.arrived = true;
  const std::int64_t parallel = world_.classes[index(job.job.job_class)].parallel;
  const bool full = job.job.group != 0 && parallel != 0 && released_in_group(job.job) >= parallel;
  if (full) {
    note("held by its group");
    return;
  }
  job.released = true;
  release(j);
}

void Run::release(std::size_t j) {
  JobState& job = jobs_[j];
  job.released_at = now_;
  if (job.job.max_wait != kForever) job.own_wait = from_now(job.job.max_wait);
  if (follows_rule(job)) {
    release_by_rule(j);
    return;
  }
  if (open_legs(job).empty()) {
    make_final(j, FinalState::refused);
  } else {
    begin_at_first_leg(j);
  }
}

void Run::begin_at_first_leg(std::size_t j) {
  ++jobs_[j].attempt;
  order_legs(jobs_[j]);
  enter_leg(j, first_leg(jobs_[j]));
}

std::int64_t Run::released_in_group(const Job& of) const {
  return std::count_if(jobs_.begin(), jobs_.end(), [&](const JobState& job) {
    return is_of_one_group(job.job, of) && job.released && !job.final;
  });
}

void Run::release_held_of_group(const Job& of) {
  const std::int64_t parallel = world_.classes[index(of.job_class)].parallel;
  if (of.group == 0 || parallel == 0) return;
  while (released_in_group(of) < parallel) {
    std::size_t first = 0;  // jobs_ is in order of arrival
    const auto is_held = [&of](const JobState& job) {
      return is_of_one_group(job.job, of) && job.arrived && !job.released;
    };
    while (first < jobs_.size() && !is_held(jobs_[first])) ++first;
    if (first == jobs_.size()) return;
    jobs_[first].released = true;
    set_step(first, Step::release, at_soonest());
  }
}

void Run::do_step(std::size_t j) {
  JobState& job = jobs_[j];
  job.step_due = Due{};
  switch (job.step) {
    case Step::release:
      release(j);
      break;
    case Step::resubmit:
      note("resubmitted");
      std::fill(job.retries.begin(), job.retries.end(), 0);
      std::fill(job.restarts.begin(), job.restarts.end(), 0);
      begin_at_first_leg(j);
      break;
    case Step::attempt:
      begin_at_first_leg(j);
      break;
    case Step::start_at:
      ++job.attempt;
      enter_leg(j, job.step_leg);
      break;
    case Step::pass_on:
      note("passed on to a later leg");
      enter_leg(j, job.step_leg);
      break;
    case Step::ask_place:
      ask_place(j);
      break;
    case Step::take_lot:
      want_lot(j);
      break;
    case Step::gathered:
      stop_gathering(lease_of(j));
      break;
    case Step::decide:
      decide(j);
      break;
  }
}

bool Run::has_open_request(std::size_t job, std::size_t leg) const {
  return std::any_of(requests_.begin(), requests_.end(), [&](const Request& request) {
    return request.open && request.job == job && (leg == kNone || request.leg == leg);
  });
}

void Run::enter_leg(std::size_t j, std::size_t l) {
  JobState& job = jobs_[j];
  const Leg& leg = leg_of(job, l);
  job.leg = l;
  const std::vector<Candidate> candidates = possible(job, l);
  if (too_many_for_a_place(job, l)) note("too many machines for one request");
  if (candidates.empty()) {
    exhausted(j, FinalState::refused);
    return;
  }
  if (leg.policy.admission == Admission::at_once && !leg.policy.held) {
    ask_first_place(j);
    return;
  }
  job.queues = true;
  if (has_open_request(j, l)) {
    note("came back to kept requests");
  } else {
    if (candidates.size() > 1) note("races");
    come_to_gate(j, candidates);
  }
  if (leg.patience() != kForever) job.patience = from_now(leg.patience());
}

void Run::ask_first_place(std::size_t j) {
  jobs_[j].places = places_in_order(jobs_[j], jobs_[j].leg);
  jobs_[j].place = 0;
  ask_place(j);
}

/// One at-once request at the leg's next place.
void Run::ask_place(std::size_t j) { make_request(j, jobs_[j].places[jobs_[j].place]); }

void Run::refused_at_place(std::size_t j) {
  JobState& job = jobs_[j];
  const Policy& policy = leg_of(job, job.leg).policy;
  if (++job.place < job.places.size()) {
    note("asked the next place");
    set_step(j, Step::ask_place, at_soonest());
    return;
  }
  if (follows_rule(job)) {
    note("rule: refused by a leg");
    job.barred[job.leg] = now_;
    set_step(j, Step::decide, from_now(SimDuration::zero()));
    return;
  }
  const bool may_retry = policy.retries == kUnlimited || job.retries[job.leg] < policy.retries;
  if (may_retry) {
    note("retry used");
    if (has_open_request(j)) note("retry pending beside kept requests");
    ++job.retries[job.leg];
    Due due = at_soonest();
    due.at = later(now_, policy.retry_interval);
    set_step(j, Step::attempt, due);
    return;
  }
  exhausted(j, policy.retries != 0 ? FinalState::failed : FinalState::refused);
}

void Run::patience_ends(std::size_t j) {
  JobState& job = jobs_[j];
  if (leg_of(job, job.leg).keep) {
    note("kept its requests");
  } else {
    for (Request& request : requests_) {
      if (!request.open || request.job != j || request.leg != job.leg) continue;
      close(request, Fate::withdrawn);
      touch(request.pool);
    }
  }
  exhausted(j, FinalState::expired);
}

/// It has waited for as long as its model lets it, whatever the leg's limit.
void Run::kept_request_ends(std::size_t r) {
  Request& request = requests_[r];
  const std::size_t j = request.job;
  JobState& job = jobs_[j];
  close(request, Fate::withdrawn);
  touch(request.pool);
  if (has_open_request(j)) return;
  if (job.past_last) {
    note("kept request ended: the job is past its last leg");
    would_be_final(j, FinalState::expired);
  } else if (job.queues && job.leg == request.leg) {
    note("kept request ended: the job is in that leg");
    exhausted(j, FinalState::expired);
  } else {
    note("kept request ended: the job is elsewhere");
  }
}

void Run::own_wait_ends(std::size_t j) {
  note("own maximum wait ended");
  withdraw_all(j);
  jobs_[j].patience = Due{};
  jobs_[j].step_due = Due{};
  would_be_final(j, FinalState::expired);
}

/// The attempt is done with the job's leg: on to the next, or wait for what was kept, or the end.
void Run::exhausted(std::size_t j, FinalState outcome) {
  JobState& job = jobs_[j];
  job.patience = Due{};
  job.queues = job.races = false;
  leave_gate(j);
  const std::size_t next = leg_after(job, job.leg);
  if (next != kNone) {
    set_step(j, Step::pass_on, at_soonest(), next);
  } else if (has_open_request(j)) {
    note("waits for kept requests after its last leg");
    job.past_last = true;
  } else {
    would_be_final(j, outcome);
  }
}

/// A lease under `leg` was taken back and may not be tried there again.
void Run::start_after_leg(std::size_t j, std::size_t leg, FinalState outcome) {
  const std::size_t next = leg_after(jobs_[j], leg);
  if (next != kNone) {
    set_step(j, Step::start_at, at_soonest(), next);
  } else {
    would_be_final(j, outcome);
  }
}

void Run::would_be_final(std::size_t j, FinalState state) {
  JobState& job = jobs_[j];
  job.own_wait = Due{};  // it belongs to the submission that is over
  job.queues = job.past_last = false;
  leave_gate(j);
  const auto& resubmission = job.strategy->resubmission;
  if (resubmission && any_leg_possible(job)) {
    const SimTime again = next_office_time(world_, *resubmission, now_ + resubmission->after);
    if (again <= later(job.released_at, resubmission->give_up_after)) {
      Due due = at_soonest();
      due.at = again;
      set_step(j, Step::resubmit, due);
      return;
    }
    note("gave up resubmitting");
  }
  make_final(j, state);
}

void Run::make_final(std::size_t j, FinalState state) {
  JobState& job = jobs_[j];
  note(std::string{"final: "} + std::string{kFinalStateNames[static_cast<std::size_t>(state)]});
  job.final = true;
  job.state = state;
  job.finished = now_;
  job.step_due = job.patience = job.own_wait = job.tick = Due{};
  release_held_of_group(job.job);
}

}  // namespace stockout::reference
