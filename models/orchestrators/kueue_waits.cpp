#include "models/orchestrators/kueue_waits.h"

#include <algorithm>

namespace stockout {

std::size_t KueueWaits::place_of(const KueueWish& wish) {
  const auto [found, is_new] = places_.emplace(wish, alike_.size());
  if (is_new) alike_.push_back({.wish = wish});
  return found->second;
}

void KueueWaits::begin(const Arrival& arrival, SimTime now) {
  waiters_[arrival.job] = {.alike = place_of(arrival.wish), .again = arrival.again, .since = now};
  if (arrival.until <= now) return join(arrival.job, now);
  waiters_[arrival.job].until = arrival.until;
  put_off_.emplace(arrival.until, arrival.job);
}

// It has waited since the time before for what the others wait for from now on.
void KueueWaits::join(std::uint64_t job, SimTime now) {
  Waiter& waiter = waiters_.at(job);
  Alike& alike = alike_[waiter.alike];
  if (waiter.since < now) waited_[job].of(waiter.again)[WaitCause::back_off] += now - waiter.since;
  ++alike.waiting;
  waiter.since = now;
  waiter.clock = alike.clock;
}

void KueueWaits::end(std::uint64_t job) {
  const auto found = waiters_.find(job);
  if (found == waiters_.end()) return;
  const Waiter& waiter = found->second;
  const WaitTimes times = times_of(job, waiter);
  if (times != WaitTimes{}) waited_[job].of(waiter.again) += times;
  if (put_off_.erase({waiter.until, job}) == 0) --alike_[waiter.alike].waiting;
  waiters_.erase(found);
}

WaitTimes KueueWaits::times_of(std::uint64_t job, const Waiter& waiter) const {
  WaitTimes times;
  if (is_put_off(job, waiter)) {
    times[WaitCause::back_off] = now_ - waiter.since;
  } else {
    times = alike_[waiter.alike].clock;
    times -= waiter.clock;
  }
  return times;
}

void KueueWaits::pass(const KueueBooks& books, bool is_blocked, SimTime now) {
  const SimDuration length = now - std::exchange(now_, now);
  if (length == SimDuration::zero()) return;
  for (Alike& alike : alike_) {
    if (alike.waiting > 0) alike.clock[cause_of(alike, books, is_blocked)] += length;
  }
  while (!put_off_.empty() && put_off_.begin()->first <= now) {
    const std::uint64_t job = put_off_.begin()->second;
    put_off_.erase(put_off_.begin());
    join(job, now);
  }
}

WaitCause KueueWaits::cause_of(const Alike& alike, const KueueBooks& books, bool is_blocked) const {
  if (books.has_room(alike.wish)) {
    if (is_blocked) return WaitCause::blocked;
    return is_behind_higher(alike.wish) ? WaitCause::priority : WaitCause::quota;
  }
  if (books.is_within_own(alike.wish)) return WaitCause::borrowing;
  return books.has_room_below(alike.wish) ? WaitCause::priority : WaitCause::quota;
}

bool KueueWaits::is_behind_higher(const KueueWish& wish) const {
  return std::ranges::any_of(alike_, [&](const Alike& other) {
    return other.waiting > 0 && other.wish.queue == wish.queue && other.wish.priority > wish.priority;
  });
}

std::unordered_map<std::uint64_t, PendingTimes> KueueWaits::waited() const {
  std::unordered_map<std::uint64_t, PendingTimes> all = waited_;
  for (const auto& [job, waiter] : waiters_) all[job].of(waiter.again) += times_of(job, waiter);
  return all;
}

}  // namespace stockout
