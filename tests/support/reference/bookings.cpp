#include <algorithm>

#include "tests/support/reference/run.h"

// Held pools that are promised beforehand.
namespace stockout::reference {

/// It waits for its machines, and takes room from all others.
bool Run::is_of_booking(const Request& request) const {
  return request.held_pool != kNone && held_pool(request.held_pool).booking.has_value();
}

/// The provider says yes or no.
void Run::decide_booking(std::size_t p) {
  const HeldPool& held = held_pool(p);
  const Booking& booking = *held.booking;
  constexpr std::int32_t kMillion = 1'000'000;
  Draw draw = dice_.draw(Purpose::acceptance, p - world_.pools.size());
  const bool lucky = booking.accept_ppm == kMillion || uniform01(draw) < booking.accept_ppm / 1e6;
  const bool accepted = lucky && promise_fits(p);
  note(accepted ? "booking accepted"
       : lucky  ? "booking refused for want of room"
                : "booking refused by chance");
  pools_[p].decided = accepted;
  auto& due = pools_[p].due;
  if (!accepted) {
    due.erase(Moment::until);
    empty_queue(p);
  } else if (held.added_supply) {
    due[Moment::opening].at = std::max(held.from, now_);
  } else {
    due[Moment::gathering].at = std::max(now_, held.from - booking.gather);
  }
}

/// Whether all that is promised fits at every instant of the booking's window: it is most when a window
/// begins.
bool Run::promise_fits(std::size_t p) const {
  const HeldPool& held = held_pool(p);
  const std::size_t source = source_of(parent_of(p), LeaseClass::reserved);
  if (held.added_supply || source == kNone) return true;
  const std::int64_t most = capacity_of(parent_of(p), source) * held.booking->bookable_ppm / 1'000'000;
  std::vector<SimTime> instants{held.from};
  for (const HeldPool& other : world_.held) instants.push_back(other.from);
  return std::ranges::all_of(instants, [&](SimTime at) {
    const bool in_window = held.from <= at && at < held.until;
    return !in_window || held.gpus.count() + promised_to_others(p, at) <= most;
  });
}

std::int64_t Run::promised_to_others(std::size_t p, SimTime at) const {
  const std::size_t parent = parent_of(p);
  const std::size_t source = source_of(parent, LeaseClass::reserved);
  std::int64_t gpus = 0;
  for (std::size_t other = world_.pools.size(); other < pools_.size(); ++other) {
    const HeldPool& held = held_pool(other);
    if (other == p || at >= held.until) continue;
    const bool promised = pools_[other].decided == true && !held.added_supply;
    if (promised && parent_of(other) == parent && at >= held.from) gpus += held.gpus.count();
    for (const Lease& lease : leases_) {
      const bool holds = !held.booking && lease.open() && lease.held_pool == other;
      if (holds && draws_on(lease, parent, source)) gpus += gpus_of(lease);
    }
  }
  return gpus;
}

/// In the parent's dispatch: bookings take what has come free, if it is enough.
void Run::serve_bookings(std::size_t parent) {
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) {
    for (Request& request : requests_) {
      if (!request.open() || request.held_pool != p || !is_of_booking(request)) continue;
      if (request.pool != parent || is_over(p)) continue;
      if (fits(request)) {
        grant(request);
      } else {
        note("booking finds too little room");
      }
    }
  }
}

}  // namespace stockout::reference
