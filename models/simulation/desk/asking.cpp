#include "models/simulation/desk/asking.h"

namespace stockout {
namespace {

bool waits_in_queue(const Leg& leg) { return leg.policy.waits(); }

}  // namespace

void Asking::enter(JobSlot slot) {
  JobState& job = tables_.jobs[slot];
  const Leg& leg = job.route.strategy->legs[job.asks.leg];
  job.asks.place = 0;
  job.orchestrators.next = 0;
  if (!waits_in_queue(leg)) return ask(slot, leg);
  job.asks.stage = Stage::queueing;
  set_patience(slot, leg.patience());
  if (!requests_.has_of_leg(job, leg)) ask(slot, leg);
}

void Asking::set_patience(JobSlot slot, SimDuration patience) {
  if (patience == SimDuration::zero()) {
    plan(slot, Step::patience_over);
  } else if (patience != kForever) {
    agenda_.wait(patience, tables_.stay_of(slot));
  }
}

void Asking::go_on(JobSlot slot) {
  const JobState& job = tables_.jobs[slot];
  ask(slot, job.route.strategy->legs[job.asks.leg]);
}

void Asking::ask(JobSlot slot, const Leg& leg) {
  JobState& job = tables_.jobs[slot];
  if (!job.orchestrators.any()) return make_requests(slot, leg);
  switch (orchestration_.may_ask(slot, waits_in_queue(leg))) {
    case Reply::go:
      return make_requests(slot, leg);
    case Reply::wait:
      job.asks.stage = Stage::in_line;
      return;
    case Reply::refuse:
      job.asks.stage = Stage::in_line;
      leave(slot);
      return plan(slot, Step::turned_away);
  }
}

// One request in every place of a queueing leg in which it may ask, else one in the first. Who may ask
// nowhere is asked about anew.
void Asking::make_requests(JobSlot slot, const Leg& leg) {
  JobState& job = tables_.jobs[slot];
  if (!waits_in_queue(leg)) {
    job.asks.stage = Stage::moving;
    job.asks.place = static_cast<std::uint16_t>(route_.first_place(job));
    return ask_place(slot);
  }
  job.asks.stage = Stage::queueing;
  bool is_barred = false;
  for (const Candidate* candidate : route_.usable(job, job.asks.leg)) {
    if (route_.is_over(candidate->pool)) continue;
    const bool may_ask = orchestration_.may_ask_in(slot, /*waits=*/true, *candidate);
    may_ask ? requests_.open(slot, *candidate, /*waits=*/true) : void(is_barred = true);
  }
  if (is_barred && !requests_.has_of_leg(job, leg)) ask_anew(slot);
}

void Asking::ask_anew(JobSlot slot) {
  JobState& job = tables_.jobs[slot];
  job.asks.stage = Stage::in_line;
  job.orchestrators.next = 0;
  job.orchestrators.are_asked_anew = true;
  plan(slot, Step::admit);
}

void Asking::ask_place(JobSlot slot) {
  JobState& job = tables_.jobs[slot];
  const auto& places = route_.usable(job, job.asks.leg);
  while (!orchestration_.may_ask_in(slot, /*waits=*/false, *places[job.asks.place])) {
    const std::size_t next = route_.place_after(job);
    if (next >= places.size()) return plan(slot, Step::turned_away);
    job.asks.place = static_cast<std::uint16_t>(next);
  }
  requests_.open(slot, *places[job.asks.place], /*waits=*/false);
}

}  // namespace stockout
