// Tries that are spent, and the person who submits a failed job again.

#include <algorithm>

#include "models/simulation/run.h"

namespace stockout {

using namespace std::chrono_literals;

SpentTries& Run::tries_of(JobState& job) {
  if (job.tries == kNoTries) job.tries = tries_.add();
  return tries_[job.tries];
}

// Counts one more, if it is allowed.
bool Run::spend(std::uint16_t& spent, Tries allowed) {
  if (spent >= allowed) return false;
  ++spent;
  return true;
}

bool Run::resubmit(JobSlot slot) {
  JobState& job = jobs_[slot];
  const auto& rule = job.strategy->resubmission;
  if (!rule || !route_.is_possible(job)) return false;
  const SimTime at = next_office_hour(now() + rule->after, *rule);
  if (at > later(job.released, rule->give_up_after)) return false;
  agenda_.cancel(job.expiry);
  agenda_.cancel(job.next_attempt);
  if (job.tries != kNoTries) tries_[job.tries] = {};
  ++job.stay;
  job.stage = Stage::moving;
  attempt_at(slot, at);
  return true;
}

SimTime Run::next_office_hour(SimTime at, const Resubmission& rule) const {
  if (rule.office_from == rule.office_to) return at;
  for (;;) {
    const auto step = std::ranges::upper_bound(world_.utc_offsets, at, {}, &OffsetStep::at);
    const SimDuration offset = step == world_.utc_offsets.begin() ? SimDuration{} : std::prev(step)->offset;
    const SimTime changes = step == world_.utc_offsets.end() ? kNever : step->at;
    const auto local = world_.start_date + at.time_since_epoch() + offset;
    const auto day = std::chrono::floor<std::chrono::days>(local);
    const SimDuration time_of_day = local - day;
    const std::chrono::weekday weekday{day};
    const bool is_weekend = weekday == std::chrono::Saturday || weekday == std::chrono::Sunday;
    if (!is_weekend && time_of_day >= rule.office_from && time_of_day < rule.office_to) return at;
    const bool is_early = !is_weekend && time_of_day < rule.office_from;
    const SimDuration wait = is_early ? rule.office_from - time_of_day : SimDuration{24h} - time_of_day;
    at = std::min(at + wait, changes);  // the clock may change before
  }
}

}  // namespace stockout
