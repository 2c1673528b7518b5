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

void Clockwork::ask(SimTime now) {
  if (!asked_) asked_ = now;
}

SimTime Clockwork::last_full(SimTime at) const {
  return at - at.time_since_epoch() % settings_.main.sched_interval;
}

SimTime Clockwork::asked_for() const {
  if (!asked_) return kNever;
  const SimTime last = std::max(last_main_, last_full(*asked_));
  return round_at(std::max(*asked_, last + settings_.main.batch_sched_delay));
}

// A full cycle always counts as the last one, but is played only if it could come to anything new.
SimTime Clockwork::next_main_cycle(SimTime changed) const {
  if (changed < last_played_full_) return asked_for();
  const SimTime last = last_full(std::max(last_main_, changed));
  const SimTime full = round_at(last + settings_.main.sched_interval);
  return std::min(full, asked_for());
}

Clockwork::MainCycle Clockwork::take_main_cycle(SimTime now) {
  const bool full = last_full(now) > last_main_ && round_at(now) == now;
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
