#include "models/orchestrators/slurm/clockwork.h"

#include <algorithm>

namespace stockout::slurm {
namespace {

constexpr SimDuration kRound = std::chrono::seconds{1};

// The first of origin, origin + step, ... at `at` or later.
SimTime next_step(SimTime origin, SimDuration step, SimTime at) {
  if (at <= origin) return origin;
  const auto steps = (at - origin + step - SimDuration{1}) / step;
  return origin + steps * step;
}

}  // namespace

SimTime Clockwork::round_at(SimTime at) { return next_step(kStart + kRound, kRound, at); }

// The cycle over the full queue, which is due at this time, does it too.
void Clockwork::ask(SimTime now) {
  const bool full_is_due = now > last_main_ && last_full(now) == now;
  if (!asked_ && !full_is_due) asked_ = now;
}

SimTime Clockwork::last_full(SimTime at) const {
  return at - at.time_since_epoch() % settings_.main.sched_interval;
}

// By a cycle over the full queue, if that comes first.
SimTime Clockwork::asked_for() const {
  if (!asked_) return kNever;
  const SimTime last = std::max(last_main_, last_full(*asked_));
  const SimTime full = next_step(kStart, settings_.main.sched_interval, *asked_ + SimDuration{1});
  return std::min(full, round_at(std::max(*asked_, last + settings_.main.batch_sched_delay)));
}

// A full cycle always counts as the last one, but is played only if it could come to anything new. It sees
// what happens at its own time.
SimTime Clockwork::next_full(SimTime changed) const {
  if (changed < last_played_full_) return kNever;
  const SimTime after = std::max(last_main_ + SimDuration{1}, changed);
  return next_step(kStart, settings_.main.sched_interval, after);
}

SimTime Clockwork::next_main_cycle(SimTime changed) const {
  return std::min(next_full(changed), asked_for());
}

Clockwork::MainCycle Clockwork::take_main_cycle(SimTime now, SimTime changed) {
  const bool full = next_full(changed) <= now || (now > last_main_ && last_full(now) == now);
  if (!full && asked_for() > now) return MainCycle::none;
  asked_.reset();
  last_main_ = now;
  if (full) last_played_full_ = now;
  return full ? MainCycle::full : MainCycle::short_one;
}

// While somebody waits the cycles keep their rhythm, and those between two changes would come to the same.
SimTime Clockwork::next_backfill(SimTime changed) const {
  const SimTime first = last_backfill_ + settings_.backfill.interval;
  if (changed < last_backfill_) return kNever;
  return next_step(first, is_planning_ ? settings_.backfill.interval : kRound, changed);
}

void Clockwork::backfilled(SimTime now, bool planned) {
  last_backfill_ = now;
  is_planning_ = planned;
}

}  // namespace stockout::slurm
