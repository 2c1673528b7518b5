#include <algorithm>

#include "tests/support/reference/run.h"

namespace stockout::reference {

/// When something is to happen to a held pool that the strategy pays for.
void Run::set_timetable(std::size_t p) {
  const HeldPool& held = held_pool(p);
  const auto at = [this](SimTime time) { return Due{.at = std::max(time, world_.begin)}; };
  if (held.until != kNever) pools_[p].until = at(held.until);
  if (held.booking) {
    pools_[p].decision = at(held.booking->decided);
  } else {
    pools_[p].creation = at(held.from);
  }
}

/// Phase 2: whatever is due for one held pool.
void Run::due_for_held_pool(std::size_t p) {
  PoolState& pool = pools_[p];
  if (is_due(pool.until)) window_ends(p);
  if (is_due(pool.decision)) decide_booking(p);
  if (is_due(pool.gathering)) {
    pool.gathering = Due{};
    note("booking gathers");
    request_held_pool(p, /*gathers=*/true);
  }
  if (is_due(pool.creation)) ask_or_open(p);
  if (is_due(pool.ask_again)) {
    pool.ask_again = Due{};
    pool.asking = Asking::at_next_dispatch;
    touch(index(held_pool(p).landlord));
  }
  if (is_due(pool.look_again)) {
    pool.look_again = Due{};
    touch(p);
  }
  machines_come(p);
}

void Run::ask_or_open(std::size_t p) {
  const HeldPool& held = held_pool(p);
  pools_[p].creation = Due{};
  if (held.scaling) {
    pools_[p].exists = true;
    touch(p);
  } else if (held.added_supply || held.booking) {
    if (held.added_supply) note("held pool added to the supply");
    create_held_pool(p);
  } else {
    request_held_pool(p, /*gathers=*/false);
  }
}

void Run::request_held_pool(std::size_t p, bool gathers) {
  const HeldPool& held = held_pool(p);
  requests_.push_back({.held_pool = p,
                       .pool = index(held.landlord),
                       .gathers = gathers,
                       .candidate = own_machines(p, held.machines.count()),
                       .entered = now_});
  touch(index(held.landlord));
}

/// So many of its machines, as the landlord sees them.
Candidate Run::own_machines(std::size_t p, std::int64_t machines) const {
  const HeldPool& held = held_pool(p);
  Candidate candidate{.pool = held.landlord, .gpus = GpuCount{machines * machine_gpus(p)}};
  candidate.parts[0] = {.line = held.line,
                        .machines = static_cast<std::int32_t>(machines),
                        .gpus = static_cast<std::int32_t>(machine_gpus(p)),
                        .machine = held.machine};
  return candidate;
}

/// The machines of its own lease are there.
void Run::machines_there(std::size_t p) {
  const HeldPool& held = held_pool(p);
  if (held.booking && now_ < held.from) {
    note("booked machines wait for the window");
    pools_[p].creation.at = held.from;
  } else {
    if (held.booking && now_ > held.from) note("booking opens late");
    create_held_pool(p);
  }
}

void Run::create_held_pool(std::size_t p) {
  pools_[p].exists = true;
  pools_[p].created = now_;
  touch(p);
}

/// Bookings take what has come free, if it is enough.
void Run::serve_gathering(std::size_t landlord) {
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      const Request& request = requests_[i];
      const bool gathers = request.open && request.gathers && request.held_pool == p;
      if (!gathers || request.pool != landlord || is_over(p)) continue;
      if (fits(request)) {
        grant(i);
      } else {
        note("booking finds too little room");
      }
    }
  }
}

void Run::serve_held_creations(std::size_t landlord) {
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) {
    if (!pools_[p].bought || index(held_pool(p).landlord) != landlord || is_over(p)) continue;
    if (pools_[p].asking == Asking::at_next_dispatch) serve_elastic(p);
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (!requests_[i].open || requests_[i].held_pool != p || requests_[i].gathers) continue;
      if (fits(requests_[i])) {
        grant(i);
        continue;
      }
      note("held pool refused");
      refuse(requests_[i]);
      pools_[p].creation = from_now(held_pool(p).retry_every);
    }
  }
}

/// The provider says yes or no.
void Run::decide_booking(std::size_t p) {
  const HeldPool& held = held_pool(p);
  const Booking& booking = *held.booking;
  pools_[p].decision = Due{};
  constexpr std::int32_t kMillion = 1'000'000;
  bool lucky = true;
  if (booking.accept_ppm == 0) {
    lucky = false;
  } else if (booking.accept_ppm < kMillion) {
    Draw draw = dice_.draw(Purpose::acceptance, p - world_.pools.size());
    lucky = uniform01(draw) < booking.accept_ppm / 1e6;
  }
  const bool has_room = promise_fits(p);
  if (!lucky) note("booking refused by chance");
  if (lucky && !has_room) note("booking refused for want of room");
  if (!lucky || !has_room) {
    pools_[p].refused = true;
    pools_[p].until = Due{};
    empty_queue(p);
    return;
  }
  note("booking accepted");
  pools_[p].accepted = true;
  if (held.added_supply) {
    pools_[p].creation.at = std::max(held.from, now_);
  } else {
    pools_[p].gathering.at = std::max(now_, held.from - booking.gather);
  }
}

/// Whether all that is promised fits at every instant of the booking's window: it is most when a window
/// begins.
bool Run::promise_fits(std::size_t p) const {
  const HeldPool& held = held_pool(p);
  const std::size_t landlord = index(held.landlord);
  const std::size_t source = source_of(landlord, LeaseClass::reserved);
  if (held.added_supply || source == kNone) return true;
  const std::int64_t most =
      capacity_of(landlord, source) * held.booking->bookable_ppm / std::int64_t{1'000'000};
  std::vector<SimTime> instants{held.from};
  for (const HeldPool& other : world_.held) instants.push_back(other.from);
  return std::all_of(instants.begin(), instants.end(), [&](SimTime at) {
    const bool in_window = held.from <= at && at < held.until;
    return !in_window || held.gpus.count() + promised_to_others(p, at) <= most;
  });
}

std::int64_t Run::promised_to_others(std::size_t p, SimTime at) const {
  const std::size_t landlord = index(held_pool(p).landlord);
  const std::size_t source = source_of(landlord, LeaseClass::reserved);
  std::int64_t gpus = 0;
  for (std::size_t other = world_.pools.size(); other < pools_.size(); ++other) {
    const HeldPool& held = held_pool(other);
    if (other == p || at >= held.until) continue;
    if (held.booking) {
      const bool promised = pools_[other].accepted && !held.added_supply;
      if (promised && index(held.landlord) == landlord && at >= held.from) gpus += held.gpus.count();
      continue;
    }
    for (const Lease& lease : leases_) {
      if (lease.held_pool == other && draws_on(lease, landlord, source)) gpus += lease.candidate.gpus.count();
    }
  }
  return gpus;
}

/// The pool's `until`.
void Run::window_ends(std::size_t p) {
  PoolState& pool = pools_[p];
  note(pool.created == kNever && !held_pool(p).scaling ? "window over before it was there" : "window over");
  if (world_.ties == Ties::starts_first) note("starts first: window over");
  pool.until = pool.creation = pool.gathering = pool.ask_again = pool.look_again = Due{};
  pool.exists = false;
  pool.asking = Asking::no;
  for (Request& request : requests_) {
    if (!request.open || request.held_pool != p) continue;
    if (request.gathers) note("window over while it gathered");
    close(request, Fate::withdrawn);
  }
  for (std::size_t i = 0; i < leases_.size(); ++i) {
    if (leases_[i].open && leases_[i].held_pool == p) end_held_lease(i);
  }
  touch(index(held_pool(p).landlord));
  touch(p);
  empty_queue(p);
}

/// The pool is over: whoever waits there has to go elsewhere.
void Run::empty_queue(std::size_t p) {
  std::vector<std::size_t> withdrawn;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (!requests_[i].open || requests_[i].pool != p) continue;
    close(requests_[i], Fate::withdrawn);
    touch(p);
    withdrawn.push_back(i);
  }
  for (const std::size_t i : withdrawn) {
    const std::size_t j = requests_[i].job;
    const bool is_racing = jobs_[j].races && lease_of(j) == kNone;
    const bool in_leg = (jobs_[j].queues || is_racing) && jobs_[j].leg == requests_[i].leg;
    if (in_leg && !has_open_request(j, requests_[i].leg)) {
      note("over: exhausted the leg");
      exhausted(j, FinalState::refused);
    } else if (jobs_[j].past_last && !has_open_request(j)) {
      note("over: the job was past its last leg");
      would_be_final(j, FinalState::expired);
    } else {
      note("over: the job goes on");
    }
  }
}

/// The pool's own lease, or one machine of an elastic pool, goes back to the landlord.
void Run::end_held_lease(std::size_t l) {
  Lease& lease = leases_[l];
  if (lease.delayed) note("a delayed lease of a held pool ended");
  lease.open = false;
  lease.delayed = false;
  lease.ended = now_;
  touch(lease.pool);
  const std::size_t source = source_of(lease.pool, lease.lease_class);
  if (source != kNone) start_delayed(lease.pool, source);
}

/// It grants nothing and asks for nothing any more.
bool Run::is_over(std::size_t p) const { return pools_[p].refused || now_ >= held_pool(p).until; }

}  // namespace stockout::reference
