#include <algorithm>

#include "tests/support/reference/run.h"

// Section 14: node groups, which back off when a pool has no machines for them.
namespace stockout::reference {

/// R14.28: Of the place's group; none: it never failed.
const GroupFailure* Run::last_failure(const Leg& leg, const Candidate& place) const {
  const GroupFailure* last = nullptr;
  for (const GroupFailure& one : group_failures_) {
    if (one.row == leg.policy.name && one.pool == place.pool && one.machine == place.parts[0].machine)
      last = &one;
  }
  return last;
}

/// R14.29: The place of the job has refused it.
void Run::fail_node_group(const JobState& job, bool lacks_quota) {
  const Leg& leg = job.strategy->legs[job.leg];
  if (!job.recorded || !leg.node_group) return;
  const Candidate& place = job.places[job.place];
  const GroupFailure* const last = last_failure(leg, place);
  SimDuration pause = leg.policy.retry_interval;
  if (last != nullptr && now_ - last->at > leg.node_group->forget_after) {
    note("node groups: a shorter back-off again");
  } else if (last != nullptr && now_ < last->at + last->pause) {
    note("node groups: failed while it backed off");
    pause = last->pause;
  } else if (last != nullptr) {
    note("node groups: a longer back-off");
    pause = std::min(last->pause + last->pause, leg.node_group->most);
  }
  group_failures_.push_back({.row = leg.policy.name,
                             .pool = place.pool,
                             .machine = place.parts[0].machine,
                             .at = now_,
                             .pause = pause,
                             .lacked_quota = lacks_quota});
}

/// R14.30.
bool Run::backs_off(const Leg& leg, const Candidate& place) const {
  if (!leg.node_group) return false;
  const GroupFailure* const last = last_failure(leg, place);
  return last != nullptr && now_ < last->at + last->pause;
}

/// R14.32: Of the job's places in the leg; kNever: none backs off.
SimTime Run::first_end_of_back_off(const JobState& job, std::size_t l) const {
  const Leg& leg = job.strategy->legs[l];
  SimTime first = kNever;
  for (const Candidate& place : possible(job, l)) {
    if (!backs_off(leg, place)) continue;
    const GroupFailure* const last = last_failure(leg, place);
    first = std::min(first, last->at + last->pause);
  }
  return first;
}

/// R13.4, R14.32.
SimTime Run::next_attempt_at(const JobState& job) {
  const SimTime here = job.recorded ? first_end_of_back_off(job, job.leg) : kNever;
  if (here == kNever) return later(now_, job.strategy->legs[job.leg].policy.retry_interval);
  SimTime first = here;
  for (const std::size_t l : open_legs(job)) first = std::min(first, first_end_of_back_off(job, l));
  if (first < here) note("node groups: waits for another leg's");
  return first;
}

}  // namespace stockout::reference
